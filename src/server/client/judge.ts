import { redact } from '../redact.js';
import { BridgeClientError, isBridgeError, type BridgeClientErrorCode } from './bridge-client-error.js';
import type { Deadline } from './deadline.js';
import type { Answer, Failed, NoAnswer } from './outcome.js';
import type { PreparedRequest } from './prepare.js';
import { Unreadable, type Reader } from './reading/values.js';
import { mayRepeat, parseRetryAfter } from './repeating.js';

/** What a judge has to know besides the answer. */
export interface Circumstances {
  request: Pick<PreparedRequest, 'id' | 'repeating'>;
  /** Never to appear in an error, whoever put them into the answer. */
  secrets: readonly (string | RegExp)[];
  /** The time now, in milliseconds. */
  now: number;
}

/** Reads a 2xx answer. @throws BridgeClientError `unreadable`. */
export function readAnswer<Value>(read: Reader<Value>, answer: Answer, circumstances: () => Circumstances): Value {
  try {
    return read(answer.text ? parseJson(answer.text) : {});
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const {
      request: { id },
      secrets,
    } = circumstances();
    const where = error.path.length === 0 ? '' : ` at "${error.path.join('.')}"`;
    throw new BridgeClientError({
      code: 'unreadable',
      operation: id,
      status: answer.status,
      requestId: requestIdOf(answer, secrets),
      message: `${id}: the answer (${String(answer.status)}) cannot be understood${where}. Is baseUrl the address of a bridge?`,
      retryable: false,
    });
  }
}

/** The error for an answer that is not 2xx, or for none. */
export function judgeFailure(failed: Failed, circumstances: Circumstances): BridgeClientError {
  return failed.kind === 'answer' ? judgeRefusal(failed, circumstances) : judgeSilence(failed, circumstances);
}

/** What to throw for a call that threw this: its own error, unless its deadline or its caller ended it. */
export function judgeEnd(error: unknown, { id, repeating }: Circumstances['request'], deadline: Deadline): unknown {
  const ended = deadline.ended();
  if (!ended || isBridgeError(error)) return error;
  return new BridgeClientError({
    code: ended,
    operation: id,
    message:
      ended === 'aborted'
        ? `${id}: ended by your signal.`
        : `${id}: no answer within ${String(deadline.timeoutMs)} ms. The bridge may have done it all the same.`,
    retryable: ended === 'timeout' && mayRepeat(repeating, { kind: 'lost', reason: ended }),
  });
}

function judgeSilence(failed: NoAnswer, { request: { id, repeating } }: Circumstances): BridgeClientError {
  return new BridgeClientError({
    code: 'unreachable',
    operation: id,
    details: failed.reason,
    message:
      failed.kind === 'unsent'
        ? `${id}: the bridge cannot be reached (${failed.reason}). Check baseUrl, the network and whether the bridge runs.`
        : `${id}: the connection broke before the answer was complete (${failed.reason}).`,
    retryable: mayRepeat(repeating, failed),
  });
}

function judgeRefusal(answer: Answer, { request, secrets, now }: Circumstances): BridgeClientError {
  const { id } = request;
  // Each field by itself: an error page of a proxy in between has none of them.
  const { code, details, errorMessage } = (parseJson(answer.text) ?? {}) as Record<string, unknown>;
  // Cut only after that: half a secret would not be recognised.
  const clean = (text: unknown) => (typeof text === 'string' ? redact(text, secrets).slice(0, 1_000) : undefined);
  const { status } = answer;
  const said = [`${id}: ${meaningOf(id, status)}`, clean(errorMessage), clean(details)];
  return new BridgeClientError({
    code: codeOf(id, status),
    operation: id,
    status,
    requestId: requestIdOf(answer, secrets),
    bridgeCode: typeof code === 'number' && /^\d{1,6}$/.test(String(code)) ? code : undefined,
    details: clean(details),
    message: said.filter(Boolean).join(' '),
    retryable: mayRepeat(request.repeating, answer),
    retryAfterMs: parseRetryAfter(answer.headers.get('retry-after'), now),
  });
}

function codeOf(id: PreparedRequest['id'], status: number): BridgeClientErrorCode {
  if (status === 401 && id === 'login') return 'credentials_refused';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
}

function meaningOf(id: PreparedRequest['id'], status: number): string {
  if (status === 401 && id === 'login') return 'clientId or clientSecret is wrong (401).';
  // Not followed: the next host would get the bearer token.
  if (status < 400)
    return `baseUrl leads to a redirect (${String(status)}), which is not followed. Use the final address.`;
  return status >= 500 ? `the bridge failed (${String(status)}).` : `the bridge refused (${String(status)}).`;
}

function requestIdOf(answer: Answer, secrets: Circumstances['secrets']): string | undefined {
  const id = answer.headers.get('x-request-id');
  // An id, or whatever somebody put there.
  return id !== null && /^[\w.:-]{1,128}$/.test(id) && redact(id, secrets) === id ? id : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
