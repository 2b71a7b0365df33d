import type { PortName } from './adapters.js';

/**
 * An adapter of the operator has failed. It has nothing of the adapter's own error but a short
 * code: messages, causes and other properties of such errors quote cards, e-mail addresses and API
 * keys, and errors reach the log, the job queue and the audit trail.
 */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  /** The port of the adapter. */
  readonly port: PortName;
  /** The method or property that failed, such as `authorize`. */
  readonly operation: string;
  /** The code of the adapter's error, such as `ECONNREFUSED`; `unknown` without a short one. */
  readonly code: string;

  /** @param advice What the operator should do: only of the bridge's own adapters. */
  constructor(port: PortName, operation: string, code: string, advice?: string) {
    super([`${port}.${operation} failed (${code}).`, advice ?? []].flat().join(' '));
    this.port = port;
    this.operation = operation;
    this.code = code;
  }
}

/**
 * Returns the code of an error that an adapter throws, or `unknown`. Words of letters, and a
 * SQLSTATE: a code with more digits may be a card number or an API key.
 */
export function adapterErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  const isShort = typeof code === 'string' && code.length <= 60;
  return isShort && /^([a-z]+\d{0,3}([_-][a-z]+\d{0,3})*|[\dA-Z]{5})$/i.test(code) ? code : 'unknown';
}
