import type { OperationId } from '../../contract/index.js';

/**
 * Why a call to the bridge failed.
 *
 * - `unreachable`: no connection, or it broke. An outage; `networkCode` says which.
 * - `unavailable`: the bridge answered with 5xx. An outage.
 * - `timeout`: the deadline of the call passed.
 * - `aborted`: your own signal ended the call.
 * - `rate_limited`: 429; `retryAfterMs` says how long to wait.
 * - `credentials_refused`: clientId or clientSecret is wrong, or the agency is deactivated.
 * - `not_found`: 404. It does not exist for this agency and mode.
 * - `refused`: any other answer that is no success. `field` may name the wrong field.
 * - `unreadable`: a success without the fields that it must have. Is `baseUrl` really a bridge?
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

/** The data of a {@link BridgeClientError}. */
export type BridgeFailure = Pick<BridgeClientError, 'code' | 'operation' | 'message' | 'retryable'> &
  Partial<Pick<BridgeClientError, 'status' | 'requestId' | 'bridgeCode' | 'field' | 'networkCode' | 'retryAfterMs'>>;

/**
 * A call to the bridge failed on the other side. It can be logged as it is: no text of a host is
 * repeated, so it holds no secret, token, URL or personal data. It has no `cause`, because what
 * `fetch` throws may hold the request with its headers.
 */
export class BridgeClientError extends Error {
  override readonly name = 'BridgeClientError';
  /** Why. Stable: branch on it. */
  readonly code: BridgeClientErrorCode;
  /**
   * The operation that failed: `login` when it was the login that the call needed, `request` for a
   * request without one.
   */
  readonly operation: OperationId | 'request';
  /** The HTTP status; absent without an answer. */
  readonly status: number | undefined;
  /** The `x-request-id` of the answer, for questions to the operator of the bridge. */
  readonly requestId: string | undefined;
  /** The number in the bridge's error catalogue. */
  readonly bridgeCode: number | undefined;
  /**
   * The path of the wrong field, such as `residentialAddress.zip`, where the bridge named one that
   * the operation has.
   */
  readonly field: string | undefined;
  /** The platform's code for a connection that failed, such as `ECONNREFUSED`. */
  readonly networkCode: string | undefined;
  /** Whether the same call may succeed later and can be repeated without doing anything twice. */
  readonly retryable: boolean;
  /** How long the bridge asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: BridgeFailure) {
    super(failure.message);
    this.code = failure.code;
    this.operation = failure.operation;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.bridgeCode = failure.bridgeCode;
    this.field = failure.field;
    this.networkCode = failure.networkCode;
    this.retryable = failure.retryable;
    this.retryAfterMs = failure.retryAfterMs;
  }

  /** The error as plain data, the message included. */
  toJSON(): BridgeFailure & { name: string } {
    const { name, message, code, operation, status, requestId, bridgeCode, field, networkCode } = this;
    const { retryable, retryAfterMs } = this;
    return {
      name,
      message,
      code,
      operation,
      status,
      requestId,
      bridgeCode,
      field,
      networkCode,
      retryable,
      retryAfterMs,
    };
  }
}

/**
 * Whether a thrown value is a {@link BridgeClientError}. Looks at the name, not at the class: an
 * error of another copy of this package, or of another realm, is one too.
 */
export function isBridgeClientError(thrown: unknown): thrown is BridgeClientError {
  const { name, code } = Object(thrown) as Partial<BridgeClientError>;
  return name === 'BridgeClientError' && Boolean(code);
}

/** Whether the bridge answered that there is no such thing. */
export function isNotFound(thrown: unknown): boolean {
  return isBridgeClientError(thrown) && thrown.code === 'not_found';
}
