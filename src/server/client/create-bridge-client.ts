import type { OperationId } from '../../contract/index.js';
import { parseConfiguredUrl, withoutTrailingSlash } from '../addresses.js';
import { systemClock } from '../clock.js';
import { silentLog } from '../log.js';
import type { BridgeClient, BridgeClientOptions, CallOptions, CreateSessionOptions } from './bridge-client.js';
import { isBridgeClientError } from './bridge-client-error.js';
import { startDeadline, type Deadline } from './deadline.js';
import { judgeEnd, judgeFailure, readAnswer } from './judge.js';
import { createLogin } from './login.js';
import { sortThrown, type Answer, type NoAnswer } from './outcome.js';
import { prepareRequest, type AnyInput, type CallInput, type PreparedRequest } from './prepare.js';
import type { ReceivedTypes } from './received.js';
import { mayRepeat, retryDelayMs } from './repeating.js';

/**
 * Creates a client of the bridge. Nothing is sent until the first call. All secrets live in this closure: inspecting or
 * serialising the client shows its methods only.
 * @throws TypeError when an option is wrong.
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const { clientId, clientSecret, timeoutMs: defaultTimeoutMs, retries } = checkOptions(options);
  const baseUrl = withoutTrailingSlash(parseConfiguredUrl('baseUrl', options.baseUrl));
  const { log = silentLog, clock = systemClock, random = Math.random } = options;
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const hasCredentials = clientId !== undefined && clientSecret !== undefined;

  const login = createLogin(async () => {
    if (!hasCredentials) throw new TypeError('This call needs a client with clientId and clientSecret.');
    const { accessToken } = await call('login', { body: { clientId, clientSecret } }, {});
    return accessToken;
  }, clock);

  async function call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> & AnyInput,
    callOptions: CreateSessionOptions,
  ): Promise<ReceivedTypes[Id]> {
    const request = prepareRequest(id, baseUrl, input, callOptions.idempotencyKey);
    const timeoutMs = checkTimeout(callOptions.timeoutMs ?? defaultTimeoutMs);
    const deadline = startDeadline(clock, timeoutMs, callOptions.signal);
    try {
      return readAnswer(id, await succeed(id, request, deadline));
    } catch (error) {
      if (deadline.ended === undefined || isBridgeClientError(error)) throw error;
      throw judgeEnd(id, deadline.ended, timeoutMs);
    } finally {
      deadline.clear();
    }
  }

  /** Attempts a request until it succeeds or must not be repeated. */
  async function succeed(id: OperationId, request: PreparedRequest, deadline: Deadline): Promise<Answer> {
    let tokenWasRenewed = false;
    for (let attempt = 0; ;) {
      const token = await tokenFor(request, deadline);
      const outcome = await attemptOnce(id, request, token, deadline);
      if (outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300) return outcome;

      // A refused token means that nothing was done, so any operation can follow it with a new one: once.
      if (outcome.kind === 'answer' && outcome.status === 401 && token !== undefined && !tokenWasRenewed) {
        login.drop(token);
        tokenWasRenewed = true;
        continue;
      }

      const secrets = [clientSecret ?? '', token ?? ''];
      const error = judgeFailure(id, outcome, { secrets, now: clock.now() });
      const delayMs = Math.round(retryDelayMs(attempt, error.retryAfterMs, random));
      if (attempt >= retries || !mayRepeat(id, outcome) || delayMs >= deadline.remainingMs()) throw error;
      attempt += 1;
      log({ level: 'info', event: 'bridge.retry', operation: id, attempt, delayMs, code: error.code });
      await deadline.sleep(delayMs);
    }
  }

  async function tokenFor({ operation }: PreparedRequest, deadline: Deadline): Promise<string | undefined> {
    const isWanted =
      operation.auth === 'bearer' || operation.auth === 'test' || (operation.auth === 'optional' && hasCredentials);
    return isWanted ? deadline.race(login.token()) : undefined;
  }

  async function attemptOnce(
    id: OperationId,
    { operation, url, headers, body }: PreparedRequest,
    token: string | undefined,
    deadline: Deadline,
  ): Promise<Answer | NoAnswer> {
    const startedAt = clock.now();
    const record = (outcome: Answer | NoAnswer) => {
      const durationMs = clock.now() - startedAt;
      const result = outcome.kind === 'answer' ? { status: outcome.status } : { failure: outcome.reason };
      log({ level: 'debug', event: 'bridge.call', operation: id, durationMs, ...result });
      return outcome;
    };
    try {
      const answered = send(url, {
        method: operation.method,
        headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
        // Not "error": workerd does not know it. A redirect comes back as an answer and is refused as one.
        redirect: 'manual',
        signal: deadline.signal,
        ...(body === undefined ? {} : { body }),
      });
      const response = await deadline.race(answered);
      const text = await deadline.race(response.text());
      return record({ kind: 'answer', status: response.status, headers: response.headers, text });
    } catch (thrown) {
      if (deadline.ended !== undefined) throw thrown;
      return record(sortThrown(thrown));
    }
  }

  return {
    async login(callOptions: CallOptions = {}) {
      const timeoutMs = checkTimeout(callOptions.timeoutMs ?? defaultTimeoutMs);
      const deadline = startDeadline(clock, timeoutMs, callOptions.signal);
      try {
        return { accessToken: await deadline.race(login.renew()) };
      } catch (error) {
        if (deadline.ended === undefined || isBridgeClientError(error)) throw error;
        throw judgeEnd('login', deadline.ended, timeoutMs);
      } finally {
        deadline.clear();
      }
    },
    createAccountCredential: (agencyId, callOptions = {}) =>
      call('createAccountCredential', { query: { agencyId } }, callOptions),
    syncProfile: (userId, profile, callOptions = {}) =>
      call('syncProfile', { params: { userId }, body: profile }, callOptions),
    createSession: (session, callOptions = {}) =>
      call('createSession', { body: session }, { idempotencyKey: crypto.randomUUID(), ...callOptions }),
    getApplication: (applicationId, callOptions = {}) =>
      call('getApplication', { params: { applicationId } }, callOptions),
    decideState: (applicationId, state, decision, callOptions = {}) =>
      call('decideState', { params: { applicationId, state }, body: decision }, callOptions),
  };
}

function checkOptions({ clientId, clientSecret, timeoutMs = 10_000, retries = 2 }: BridgeClientOptions) {
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new TypeError(`${name} must be a text that is not empty. Is the environment variable set?`);
    }
  }
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw new TypeError('clientId and clientSecret belong together: give both or none.');
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be 0 or a positive integer.');
  return { clientId, clientSecret, timeoutMs: checkTimeout(timeoutMs), retries };
}

function checkTimeout(timeoutMs: number): number {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw new TypeError('timeoutMs must be a positive number of milliseconds.');
  }
  return timeoutMs;
}
