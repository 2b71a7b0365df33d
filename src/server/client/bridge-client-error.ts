import type { OperationId } from '../../contract/index.js';

/**
 * Why a call to the bridge failed.
 *
 * - `unreachable`: no connection, or it broke. An outage.
 * - `unavailable`: the bridge answered with 5xx. An outage.
 * - `timeout`: the deadline of the call passed.
 * - `aborted`: your own signal ended the call.
 * - `rate_limited`: 429; `retryAfterMs` says how long to wait.
 * - `credentials_refused`: clientId or clientSecret is wrong, or the agency is deactivated.
 * - `not_found`: 404. It does not exist for this agency and mode.
 * - `refused`: any other answer that says no; `details` says why.
 * - `unreadable`: an answer that says yes but cannot be understood. Is `baseUrl` really a bridge?
 */
export type BridgeClientErrorCode =
  | 'unreachable'
  | 'unavailable'
  | 'timeout'
  | 'aborted'
  | 'rate_limited'
  | 'credentials_refused'
  | 'not_found'
  | 'refused'
  | 'unreadable';

/** What a {@link BridgeClientError} is made of. */
export interface BridgeFailure {
  code: BridgeClientErrorCode;
  operation: OperationId;
  message: string;
  status?: number | undefined;
  requestId?: string | undefined;
  bridgeCode?: number | undefined;
  details?: string | undefined;
  retryable: boolean;
  retryAfterMs?: number | undefined;
}

/**
 * A call to the bridge failed on the other side. Holds no secret, token, address or personal data, so it can be logged as it
 * is. It has no `cause`: what `fetch` throws may hold the request with its headers.
 */
export class BridgeClientError extends Error {
  override readonly name = 'BridgeClientError';
  /** Why. Stable: branch on it. */
  readonly code!: BridgeClientErrorCode;
  /** The operation that failed: `login` when it was the login that the call needed. */
  readonly operation!: OperationId;
  /** The HTTP status, when there was an answer. */
  readonly status!: number | undefined;
  /** The `x-request-id` of the answer, to be named to whoever runs the bridge. */
  readonly requestId!: string | undefined;
  /** The number in the bridge's error catalogue. */
  readonly bridgeCode!: number | undefined;
  /** What the bridge says is wrong, such as the path of the offending field. */
  readonly details!: string | undefined;
  /** Whether the same call may succeed later and can be repeated without doing anything twice. */
  readonly retryable!: boolean;
  /** How long the bridge asked to wait, in milliseconds. */
  readonly retryAfterMs!: number | undefined;

  constructor({ message, ...data }: BridgeFailure) {
    super(message);
    // All that is declared above: one by one they would be a good part of the size of this class.
    Object.assign(this, data);
  }

  /** The error as plain data, the message included. */
  toJSON(): BridgeFailure & { name: string } {
    return Object.assign({}, this, { message: this.message });
  }
}

/**
 * Whether something thrown is a {@link BridgeClientError}. Looks at the name, not at the class: an error of another copy of this
 * package, or of another realm, is one too.
 */
export function isBridgeError(thrown: unknown): thrown is BridgeClientError {
  const { name, code } = Object(thrown) as Partial<BridgeClientError>;
  return name === 'BridgeClientError' && Boolean(code);
}

/** Whether the bridge answered that there is no such thing. */
export function isNotFound(thrown: unknown): boolean {
  return isBridgeError(thrown) && thrown.code === 'not_found';
}
