import { failures, type OperationId } from '../../contract/index.js';
import { brokenRule } from './broken-rule.js';
import type { PreparedRequest } from './request.js';
import { mayRepeat, parseRetryAfter, type Answer, type NoAnswer } from './send.js';

/**
 * The reason why a call to the bridge failed.
 *
 * - `unreachable`: no connection, or it broke. An outage; `networkCode` says which.
 * - `unavailable`: the bridge answered with 5xx. An outage.
 * - `timeout`: the deadline of the call passed.
 * - `aborted`: your `signal` ended the call.
 * - `rate_limited`: 429; `retryAfterMs` is the time to wait.
 * - `credentials_refused`: clientId or clientSecret is wrong, or the agency is deactivated.
 * - `not_found`: 404. It does not exist for this agency and mode.
 * - `refused`: any other status that is not 2xx. `bridgeCode` is the error, `field` the wrong
 *   field.
 * - `unreadable`: a 2xx answer without the required fields. Check that `baseUrl` is a bridge.
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
 * A call to the bridge failed. The message says what to mend: the wrong field and its rule, where
 * the bridge names one. The error can be logged: it contains no text of an answer, and so no
 * secret, token, URL or personal data. It has no `cause`, because an error of `fetch` may contain
 * the request with its headers.
 */
export class BridgeClientError extends Error {
  override readonly name = 'BridgeClientError';
  /** The reason. Stable: branch on it. */
  declare readonly code: BridgeClientErrorCode;
  /**
   * The operation that failed. `login` when the login before the call failed; `request` for a call
   * of `bridge.request`.
   */
  declare readonly operation: OperationId | 'request';
  /** The HTTP status; absent without an answer. */
  declare readonly status: number | undefined;
  /** The `x-request-id` of the answer, for questions to the operator of the bridge. */
  declare readonly requestId: string | undefined;
  /** The `code` of the bridge's answer: its number in the table of errors. */
  declare readonly bridgeCode: number | undefined;
  /**
   * The path of the wrong field, such as `residentialAddress.zip`, where the bridge named one that
   * the operation has.
   */
  declare readonly field: string | undefined;
  /** The platform's code for a connection that failed, such as `ECONNREFUSED`. */
  declare readonly networkCode: string | undefined;
  /** Whether the same call may succeed later and can be repeated without doing anything twice. */
  declare readonly retryable: boolean;
  /** The requested waiting time, in milliseconds. */
  declare readonly retryAfterMs: number | undefined;

  constructor({ message, ...facts }: BridgeFailure) {
    super(message);
    Object.assign(this, facts);
  }

  /** The error as plain data, the message included. */
  toJSON(): BridgeFailure & { name: string } {
    return Object.assign({ message: this.message }, this);
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

/** Whether the bridge answered that something does not exist. */
export function isNotFound(thrown: unknown): boolean {
  // A login that is not found is at a wrong `baseUrl`, and says nothing about what was asked for.
  return isBridgeClientError(thrown) && thrown.code === 'not_found' && thrown.operation !== 'login';
}

/*
 * An answer of a host may repeat the request: e-mail addresses, dates of birth, secrets, webhook
 * URLs. So an error contains only these values of an answer, each checked: the status, the number
 * of the failure, the name of a field of the operation, the types of the catalogue, the id of the
 * request, and Retry-After.
 */

/** The inputs of an error besides the response. */
export interface Attempt {
  request: PreparedRequest;
  /** The token and the client secret. */
  secrets: readonly string[];
  /** The time now, in milliseconds. */
  now: number;
}

/** The sentence of each number in our bridge's catalogue. */
const sentencesByNumber = new Map<number | undefined, string>(Object.values(failures));

/** The error for an answer that is not 2xx. */
export function refusedError(answer: Answer, { request, secrets, now }: Attempt): BridgeClientError {
  const { status, headers } = answer;
  const body = (parseJson(answer.text) ?? {}) as { code?: unknown; details?: unknown };
  const bridgeCode = Number.isInteger(body.code) && /^\d{1,6}$/.test(String(body.code)) ? Number(body.code) : undefined;
  const [code, meaning] = meaningOf(request, status);
  // A bridge does not say which of both is wrong, so the name of one would mislead.
  const field = code === 'credentials_refused' ? undefined : fieldIn(body.details, request.fields);
  const sentences = [
    `${request.operation}: ${meaning} (${status}).`,
    isNoBridge(request, status) ? addressHint(request) : undefined,
    sentencesByNumber.get(bridgeCode),
    brokenRule({ request, bridgeCode, details: body.details, field }),
  ];
  return new BridgeClientError({
    code,
    operation: request.operation,
    status,
    requestId: requestIdOf(headers, request, secrets),
    bridgeCode,
    field,
    message: sentences.filter(Boolean).join(' '),
    retryable: mayRepeat(request.repeat, answer),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

/**
 * The error for an unreadable 2xx response. `path`: the wrong field, in names of our schemas and
 * indexes.
 */
export function unreadableError(
  { status, headers }: Answer,
  { request, secrets }: Attempt,
  path: readonly PropertyKey[] = [],
): BridgeClientError {
  const where = path.length === 0 ? '' : ` at "${path.map(String).join('.')}"`;
  return new BridgeClientError({
    code: 'unreadable',
    operation: request.operation,
    status,
    requestId: requestIdOf(headers, request, secrets),
    message: `${request.operation}: the answer (${status}) cannot be read${where}. Is baseUrl the URL of a bridge?`,
    retryable: false,
  });
}

/** The error for a connection that failed. */
export function unreachableError(failed: NoAnswer, { operation, repeat }: PreparedRequest): BridgeClientError {
  const { kind, networkCode } = failed;
  const reason = networkCode === undefined ? '' : ` (${networkCode})`;
  return new BridgeClientError({
    code: 'unreachable',
    operation,
    networkCode,
    message:
      kind === 'unsent'
        ? `${operation}: the bridge cannot be reached${reason}. Check baseUrl, the network and whether the bridge runs.`
        : `${operation}: the connection broke before the answer was complete${reason}.`,
    retryable: mayRepeat(repeat, failed),
  });
}

/** The error for a call that its deadline or its caller ended. */
export function endedError(
  endedBy: 'timeout' | 'aborted',
  { operation, repeat, endedMessage }: Pick<PreparedRequest, 'operation' | 'repeat'> & { endedMessage?: string },
  timeoutMs: number,
): BridgeClientError {
  const aborted = "ended by the caller's signal.";
  const timedOut = `no answer within ${timeoutMs} ms. The bridge may have processed the request.`;
  return new BridgeClientError({
    code: endedBy,
    operation,
    message: `${operation}: ${endedMessage ?? (endedBy === 'aborted' ? aborted : timedOut)}`,
    retryable: endedBy === 'timeout' && repeat === 'always',
  });
}

/** The value of a JSON text; `undefined` when it is none. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The code and the meaning of a response that is not 2xx. */
function meaningOf({ operation }: PreparedRequest, status: number): [code: BridgeClientErrorCode, meaning: string] {
  if (status === 401 && operation === 'login') return ['credentials_refused', 'clientId or clientSecret is wrong'];
  if (status < 400) return ['refused', 'baseUrl leads to a redirect, which is not followed; use the final URL'];
  if (status === 404) return ['not_found', 'not found'];
  if (status === 429) return ['rate_limited', 'too many requests'];
  return status >= 500 ? ['unavailable', 'the bridge failed'] : ['refused', 'the bridge refused the request'];
}

/** Whether the status says that another server than a bridge answers, such as the hosted application. */
function isNoBridge({ operation }: PreparedRequest, status: number): boolean {
  return status === 404 || (operation === 'login' && [405, 415].includes(status));
}

/** The usual mistakes in `baseUrl`. */
function addressHint({ operation, url }: PreparedRequest): string | undefined {
  if (/\/v1\/v1\//.test(url)) return 'Remove /v1 from the end of baseUrl: the client adds it.';
  return operation === 'login'
    ? 'Check that baseUrl is the URL of a bridge. The hosted application has another one.'
    : undefined;
}

/** The first field of the operation that the text names, with the index of an item: "npns.2". */
function fieldIn(details: unknown, fields: readonly string[]): string | undefined {
  if (typeof details !== 'string') return undefined;
  const words = details.slice(0, 1_000).match(/[a-z]\w*(?:\.\w+)*/gi) ?? [];
  // An index has four digits at most: a longer number may be a value.
  return words.find((word) => fields.includes(word.replace(/\.\d{1,4}$/, '')));
}

function requestIdOf(headers: Headers, request: PreparedRequest, secrets: readonly string[]): string | undefined {
  const id = headers.get('x-request-id');
  if (id === null || !/^[\w.:-]{1,64}$/.test(id) || /^\d{3}-?\d{2}-?\d{4}$/.test(id)) return undefined;
  // A host may also return the sent value there.
  const sent = [request.url, ...Object.values(request.headers), request.body ?? '', ...secrets];
  const plainId = plain(id);
  return sent.some((text) => plain(text).includes(plainId)) ? undefined : id;
}

function plain(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}
