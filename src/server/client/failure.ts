import { failures } from '../../contract/index.js';
import { BridgeClientError, type BridgeClientErrorCode } from './bridge-client-error.js';
import type { PreparedRequest } from './request.js';
import { mayRepeat, parseRetryAfter } from './retry.js';
import type { Answer, NoAnswer } from './send.js';

/*
 * What a host writes may repeat what it was sent: e-mail addresses, dates of birth, secrets,
 * webhook URLs. So an error takes from an answer only what is checked here: the status, the number
 * of the failure, the name of a field that the operation has, the id of the request, and
 * Retry-After. All text is our own.
 */

/** What an error depends on besides the answer. */
export interface Attempt {
  request: PreparedRequest;
  /** The token and the client secret. */
  secrets: readonly string[];
  /** The time now, in milliseconds. */
  now: number;
}

/** The sentence of each number in our bridge's catalogue. */
const sentences = new Map<number, string>(Object.values(failures));

/** The error for an answer that is not 2xx. */
export function refusedError(answer: Answer, { request, secrets, now }: Attempt): BridgeClientError {
  const { status, headers } = answer;
  const { code, details } = (parseJson(answer.text) ?? {}) as { code?: unknown; details?: unknown };
  const bridgeCode = Number.isInteger(code) && /^\d{1,6}$/.test(String(code)) ? Number(code) : undefined;
  const field = fieldIn(details, request.fields);
  const sentence = bridgeCode === undefined ? undefined : sentences.get(bridgeCode);
  return new BridgeClientError({
    code: codeOf(request, status),
    operation: request.operation,
    status,
    requestId: requestIdOf(headers, request, secrets),
    bridgeCode,
    field,
    message: [
      `${request.operation}: ${meaningOf(request, status)} (${String(status)}).`,
      ...(sentence === undefined ? [] : [sentence]),
      ...(field === undefined ? [] : [`The field is ${field}.`]),
    ].join(' '),
    retryable: mayRepeat(request.repeat, answer),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

/**
 * The error for a 2xx answer that cannot be read. `path` is where, in names of our own schemas and
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
    message: `${request.operation}: the answer (${String(status)}) cannot be read${where}. Is baseUrl the URL of a bridge?`,
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
  { operation, repeat }: Pick<PreparedRequest, 'operation' | 'repeat'>,
  timeoutMs: number,
): BridgeClientError {
  return new BridgeClientError({
    code: endedBy,
    operation,
    message:
      endedBy === 'aborted'
        ? `${operation}: ended by the caller's signal.`
        : `${operation}: no answer within ${String(timeoutMs)} ms. The bridge may have done it all the same.`,
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

function codeOf({ operation }: PreparedRequest, status: number): BridgeClientErrorCode {
  if (status === 401 && operation === 'login') return 'credentials_refused';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
}

function meaningOf({ operation }: PreparedRequest, status: number): string {
  if (status === 401 && operation === 'login') return 'clientId or clientSecret is wrong';
  if (status < 400) return 'baseUrl leads to a redirect, which is not followed; use the final URL';
  if (status === 404) return 'not found';
  if (status === 429) return 'too many requests';
  return status >= 500 ? 'the bridge failed' : 'the bridge refused the request';
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
  // A host may also put there what it was sent.
  const sent = [request.url, ...Object.values(request.headers), request.body ?? '', ...secrets];
  const plainId = plain(id);
  return sent.some((text) => plain(text).includes(plainId)) ? undefined : id;
}

function plain(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}
