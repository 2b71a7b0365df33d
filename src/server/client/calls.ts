import type { LoginResponse, OperationId } from '../../contract/index.js';
import { boundedText } from './bounded-text.js';
import { startDeadline, type Deadline } from './deadline.js';
import { judgeEnd, judgeFailure, readAnswer, type Circumstances } from './judge.js';
import { createLogin } from './login.js';
import { checkTimeout, type CallOptions, type Settings } from './options.js';
import { sortThrown, type Answer, type NoAnswer } from './outcome.js';
import { prepareRequest, type AnyInput, type CallInput, type PreparedRequest } from './prepare.js';
import { readers } from './reading/readers.js';
import type { Reader } from './reading/values.js';
import type { ReceivedTypes } from './received.js';
import { mayRepeat, retryDelayMs } from './repeating.js';

/** Calls an operation: resolves with its answer, or rejects with a `BridgeClientError`. */
export type Call = <Id extends OperationId>(
  id: Id,
  input: CallInput<Id> & AnyInput,
  options?: CallOptions & { idempotencyKey?: string },
) => Promise<ReceivedTypes[Id]>;

/** How a client speaks with its bridge. */
export interface Calls {
  call: Call;
  /** Logs in now. */
  login(options?: CallOptions): Promise<LoginResponse>;
  /** Goes on with another secret. Tokens of the old one are forgotten. */
  replaceSecret(clientSecret: string): void;
}

/** Prepares to speak with a bridge. Nothing is sent until the first call. All secrets live in this closure. */
export function createCalls(settings: Settings): Calls {
  const { clock, fetch, log, random, retries } = settings;
  let { credentials } = settings;
  let ready!: Headers;
  let readyFor: string | null | undefined = null;

  const login = createLogin(async () => {
    if (!credentials) throw new TypeError('This call needs a client with clientId and clientSecret.');
    return (await call('login', { body: credentials })).accessToken;
  }, clock);

  const call: Call = async (id, input, options = {}) => {
    // The type of one operation's reader, which the compiler would otherwise have for all of them at once.
    const read: Reader<ReceivedTypes[typeof id]> = readers[id];
    const request = prepareRequest(id, settings.baseUrl, input, options.idempotencyKey);
    return within(request, options, (deadline) => succeed(request, read, deadline));
  };

  /** Runs a call until its deadline or its caller ends it. */
  async function within<Value>(
    request: Circumstances['request'],
    { timeoutMs = settings.timeoutMs, signal }: CallOptions,
    run: (deadline: Deadline) => Promise<Value>,
  ): Promise<Value> {
    const deadline = startDeadline(clock, checkTimeout(timeoutMs), signal);
    try {
      // Here, not where it is sent: a login is for everybody, and `fetch` may be one that heeds no signal.
      deadline.signal.throwIfAborted();
      return await run(deadline);
    } catch (error) {
      throw judgeEnd(error, request, deadline);
    } finally {
      deadline.clear();
    }
  }

  /** Attempts a request until it succeeds or must not be repeated. Written for speed: it runs for every call. */
  async function succeed<Value>(request: PreparedRequest, read: Reader<Value>, deadline: Deadline): Promise<Value> {
    // Of all attempts: what was replaced in between may still come back in an answer.
    let { secrets } = request;
    let tokenWasRenewed = false;
    const { auth } = request.operation;
    const wantsToken = auth === 'optional' ? credentials : auth !== 'none';
    for (let attempt = 0; ;) {
      const token = wantsToken ? (login.known() ?? (await deadline.race(login.renew()))) : undefined;
      const secret = credentials?.clientSecret;
      const startedAt = clock.now();
      let outcome: Answer | NoAnswer;
      try {
        const sent = send(request, token, deadline.signal);
        // The platform's heeds its signal, so nobody has to watch over it.
        outcome = await (fetch ? deadline.race(sent) : sent);
      } catch (thrown) {
        outcome = sortThrown(thrown);
      }
      log?.({
        level: 'debug',
        event: 'bridge.call',
        operation: request.id,
        durationMs: clock.now() - startedAt,
        ...(outcome.kind === 'answer' ? { status: outcome.status } : { failure: deadline.ended() ?? outcome.reason }),
      });
      // Only when it fails: for a call that succeeds, these few objects are a good part of what it costs.
      const circumstances = (): Circumstances => ({
        request,
        secrets: [...secrets, secret ?? '', token ?? ''],
        now: clock.now(),
      });
      if (outcome.kind === 'answer') {
        if (outcome.status >= 200 && outcome.status < 300) return readAnswer(read, outcome, circumstances);

        // A refused token means that nothing was done, so any operation can follow it with a new one: once.
        if (outcome.status === 401 && token !== undefined && !tokenWasRenewed) {
          login.drop(token);
          tokenWasRenewed = true;
          ({ secrets } = circumstances());
          continue;
        }
      } else {
        deadline.signal.throwIfAborted();
      }

      const known = circumstances();
      const error = judgeFailure(outcome, known);
      const delayMs = Math.round(retryDelayMs(attempt, error.retryAfterMs, random));
      if (attempt >= retries || !mayRepeat(request.repeating, outcome) || delayMs >= deadline.remainingMs()) {
        throw error;
      }
      attempt += 1;
      ({ secrets } = known);
      log?.({ level: 'info', event: 'bridge.retry', operation: request.id, attempt, delayMs, code: error.code });
      await deadline.sleep(delayMs);
    }
  }

  async function send(
    { operation, url, idempotencyKey, body }: PreparedRequest,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const headers = () => ({
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    });
    // Who gives a `fetch` may want to add some.
    const hasOwn = fetch ?? body ?? idempotencyKey;
    // All others have the same, and plain ones the platform's `fetch` checks in each call, letter by letter.
    if (!hasOwn && token !== readyFor) {
      ready = new Headers(headers());
      readyFor = token;
    }
    const response = await (fetch ?? globalThis.fetch)(url, {
      method: operation.method,
      headers: hasOwn ? headers() : ready,
      // Not "error": workerd does not know it. A redirect comes back as an answer and is refused as one.
      redirect: 'manual',
      signal,
      body: body ?? null,
    });
    return { kind: 'answer', status: response.status, headers: response.headers, text: await boundedText(response) };
  }

  return {
    call,
    login: (options = {}) =>
      within({ id: 'login', repeating: 'always' }, options, async (deadline) => ({
        accessToken: await deadline.race(login.renew()),
      })),
    replaceSecret(clientSecret) {
      if (credentials) credentials = { ...credentials, clientSecret };
      login.restart();
    },
  };
}
