import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A message that was posted to a window. */
export interface Posted {
  message: Record<string, unknown>;
  targetOrigin: string;
  ports: readonly MessagePort[];
}

/** A window in Node: the test emits its events, and sees what is posted to it. */
export interface FakeWindow {
  /** The window for the code under test. */
  view: Window;
  posted: Posted[];
  emit(type: string, fields?: object): void;
  /** Emits a message of the other window. `fields` override the browser's. */
  receive(data: unknown, fields?: object): void;
  countListeners(): number;
}

type Listener = (event: never) => void;

/** Two windows: what one posts to the other arrives there, if the target origin is right. */
export function createWindows(elementOrigin: string, pageOrigin: string): { element: FakeWindow; page: FakeWindow } {
  const element = createWindow(elementOrigin, () => page, pageOrigin);
  const page = createWindow(pageOrigin, () => element, elementOrigin);
  return { element, page };
}

function createWindow(origin: string, other: () => FakeWindow, otherOrigin: string): FakeWindow {
  const listeners = new Set<{ type: string; listener: Listener }>();
  const posted: Posted[] = [];

  function emit(type: string, fields: object = {}): void {
    for (const each of [...listeners])
      if (each.type === type) each.listener({ type, isTrusted: true, ...fields } as never);
  }

  function receive(data: unknown, fields: object = {}): void {
    emit('message', { data, origin: otherOrigin, source: other().view, ports: [], ...fields });
  }

  const view = {
    location: { origin },
    addEventListener(type: string, listener: Listener, { signal }: { signal?: AbortSignal } = {}) {
      const added = { type, listener };
      listeners.add(added);
      signal?.addEventListener('abort', () => listeners.delete(added));
    },
    removeEventListener(type: string, listener: Listener) {
      for (const each of listeners) if (each.type === type && each.listener === listener) listeners.delete(each);
    },
    postMessage(message: Posted['message'], targetOrigin: string, ports: MessagePort[] = []) {
      posted.push({ message, targetOrigin, ports });
      if (targetOrigin !== origin) return;
      queueMicrotask(() => {
        receive(message, { ports });
      });
    },
    setTimeout: (run: () => void, delayMs: number, ...rest: []) => globalThis.setTimeout(run, delayMs, ...rest),
    clearTimeout: (timer: number) => {
      globalThis.clearTimeout(timer);
    },
  };
  return { view: view as unknown as Window, posted, emit, receive, countListeners: () => listeners.size };
}

/** Makes globals of these values until the returned function is called. */
export function replaceGlobals(values: object): () => void {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value: value as unknown, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
}

/** Waits for messages of ports, which need no time but turns of the event loop. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let turns = 0; !isTrue(); turns += 1) {
    assert.ok(turns < 20_000, `It never came true: ${String(isTrue)}`);
    await nextTurn();
  }
}

/** Resolves when everything that was posted on ports so far has arrived. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
}
