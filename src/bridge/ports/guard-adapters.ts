import { AdapterError, adapterErrorCode } from './adapter-error.js';
import { type Adapters, portNames, type PortName } from './adapters.js';

/** Marks the adapters that {@link guardAdapters} has wrapped, for the type checker only. */
declare const guarded: unique symbol;

/** Adapters whose errors are {@link AdapterError}. */
export type GuardedAdapters = Adapters & { readonly [guarded]: true };

/**
 * Wraps the adapters of the operator, so that all errors of their methods and properties, the
 * optional ones too, leave them as {@link AdapterError}. The bridge's own adapters for services of
 * the operator throw it themselves, with an advice. Those in the database need none.
 */
export function guardAdapters(adapters: Adapters): GuardedAdapters {
  const given = portNames.map((port) => {
    const adapter: object | undefined = adapters[port];
    return [port, adapter && guardAdapter(port, adapter)];
  });
  return Object.fromEntries(given) as GuardedAdapters;
}

function guardAdapter(port: PortName, adapter: object): object {
  // Not a proxy of the adapter, because the methods of a frozen one could not be replaced.
  return new Proxy(Object.create(null) as object, {
    get(_target, key) {
      const operation = String(key);
      // The adapter is `this`, because a proxy cannot reach the private fields of its class.
      const value = guardCall(port, operation, (): unknown => Reflect.get(adapter, key, adapter));
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown =>
        guardCall(port, operation, (): unknown => Reflect.apply(value, adapter, given));
    },
  });
}

function guardCall(port: PortName, operation: string, call: () => unknown): unknown {
  // Without the error as its cause, which would take its text to the log.
  const toAdapterError = (error: unknown) =>
    error instanceof AdapterError ? error : new AdapterError(port, operation, adapterErrorCode(error));
  try {
    const result = call();
    if (!isThenable(result)) return result;
    return Promise.resolve(result).catch((error: unknown) => {
      throw toAdapterError(error);
    });
  } catch (error) {
    throw toAdapterError(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
