import type { z } from 'zod';
import { operations, type LoginResponse, type OperationId, type ReceivedTypes } from '../../contract/index.js';
import { responseSchemas } from '../../contract/schemas/index.js';
import { anything, parseGiven } from '../configuration.js';
import type { Clock } from '../scheduling.js';
import {
  endedError,
  isBridgeClientError,
  parseJson,
  refusedError,
  unreachableError,
  unreadableError,
  type Attempt,
} from './bridge-client-error.js';
import { createLogin } from './login.js';
import { callOptionsSchema, type CallOptions, type Settings } from './options.js';
import {
  prepareOperation,
  prepareRequest,
  type AnyInput,
  type BridgeRequest,
  type CreateSessionOptions,
  type OperationInput,
  type PreparedRequest,
} from './request.js';
import { mayRepeat, retryDelayMs, send, type Answer, type NoAnswer, type Outcome } from './send.js';

/**
 * The calls of a client. Each rejects with a BridgeClientError, or with a TypeError before anything
 * is sent.
 */
export type Calls = ReturnType<typeof createCalls>;

const keyedOptionsSchema = callOptionsSchema.extend({ idempotencyKey: anything });

/** The readers of the responses, by operation. */
const schemas: { [Id in OperationId]: z.ZodType<ReceivedTypes[Id]> } = responseSchemas;

/** Creates the calls of a client. All secrets live in this closure. */
export function createCalls(settings: Settings) {
  const { clock, fetch, log, random, retries } = settings;

  const login = createLogin(
    settings.credentials,
    async (credentials) => (await call('login', { body: credentials })).accessToken,
    clock,
  );

  /** Calls an operation and resolves with its checked answer. */
  async function call<Id extends OperationId>(
    id: Id,
    input: OperationInput<Id> & AnyInput,
    options: CreateSessionOptions = {},
  ): Promise<ReceivedTypes[Id]> {
    parseGiven(id, 'idempotencyKey' in operations[id] ? keyedOptionsSchema : callOptionsSchema, options);
    const prepared = prepareOperation(id, input, settings, options.idempotencyKey);
    return succeed(prepared, options, (answer, attempt) => {
      // Operation 17 may answer with an empty body.
      const { success, data, error } = schemas[id].safeParse(answer.text === '' ? {} : parseJson(answer.text));
      if (!success) throw unreadableError(answer, attempt, error.issues[0]?.path);
      return data;
    });
  }

  /** Sends a request of the caller's own and resolves with the parsed answer. */
  async function request(given: BridgeRequest, options: CallOptions = {}): Promise<unknown> {
    parseGiven('request', callOptionsSchema, options);
    return succeed(prepareRequest(given, settings.baseUrl), options, (answer, attempt) => {
      const value = parseJson(answer.text);
      if (value === undefined && answer.text !== '') throw unreadableError(answer, attempt);
      return value;
    });
  }

  /** Logs in now. */
  async function logIn({
    timeoutMs = settings.timeoutMs,
    signal,
    ...unknown
  }: CallOptions = {}): Promise<LoginResponse> {
    parseGiven('login', callOptionsSchema, { timeoutMs, signal, ...unknown });
    const ends = { operation: 'login', repeat: 'always', timeoutMs, signal } as const;
    return withDeadline(clock, ends, async ({ race }) => ({ accessToken: await race(login.renew()) }));
  }

  /** Attempts a request until it succeeds, must not be repeated, or is ended. */
  function succeed<Value>(
    prepared: PreparedRequest,
    { timeoutMs = settings.timeoutMs, signal }: CallOptions,
    read: (answer: Answer, attempt: Attempt) => Value,
  ): Promise<Value> {
    const { operation, auth, repeat } = prepared;
    return withDeadline(clock, { operation, repeat, timeoutMs, signal }, async (deadline) => {
      let tokenWasRenewed = false;
      for (let repetitions = 0; ;) {
        const needsToken = auth === 'optional' ? login.isPossible : auth !== 'none';
        // Many calls share a login, so it has a separate deadline.
        const token = needsToken ? await deadline.race(login.token()) : undefined;
        const outcome = await sendOnce(prepared, token, deadline);
        const attempt = { request: prepared, secrets: login.secrets(), now: clock.now() };
        if (outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300) return read(outcome, attempt);
        const isTokenRefused = outcome.kind === 'answer' && outcome.status === 401 && token !== undefined;
        if (isTokenRefused && !tokenWasRenewed) {
          // Nothing was done, so any operation can follow with a new token: once.
          login.drop(token);
          tokenWasRenewed = true;
          continue;
        }
        const error = outcome.kind === 'answer' ? refusedError(outcome, attempt) : unreachableError(outcome, prepared);
        const delayMs = retryDelayMs(repetitions, error.retryAfterMs, random);
        if (repetitions >= retries || !mayRepeat(repeat, outcome) || delayMs >= deadline.remainingMs()) throw error;
        repetitions += 1;
        log({ level: 'info', event: 'bridge.retry', operation, attempt: repetitions, delayMs, code: error.code });
        await deadline.sleep(delayMs);
      }
    });
  }

  /** Rejects only when the call is ended. */
  async function sendOnce(
    prepared: PreparedRequest,
    token: string | undefined,
    { signal, race }: Deadline,
  ): Promise<Outcome> {
    const startedAt = clock.now();
    const lost: NoAnswer = { kind: 'lost', networkCode: undefined };
    const outcome = await race(send(fetch, prepared, token, signal)).catch(() => lost);
    const result =
      outcome.kind === 'answer'
        ? { status: outcome.status }
        : { failure: signal.aborted ? 'ended' : (outcome.networkCode ?? 'connection failed') };
    const durationMs = clock.now() - startedAt;
    log({ level: 'debug', event: 'bridge.call', operation: prepared.operation, durationMs, ...result });
    if (outcome.kind !== 'answer') signal.throwIfAborted();
    return outcome;
  }

  return { call, request, logIn, replaceSecret: login.replaceSecret };
}

/** The end of a call: its time limit and the caller's signal in one. */
export interface Deadline {
  /** Aborts when either ends the call. */
  readonly signal: AbortSignal;
  /** Milliseconds left; `Infinity` without a time limit. */
  remainingMs(): number;
  /**
   * Settles as the promise does, or rejects when the call ends first, also where the signal is
   * ignored.
   */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Resolves after a while, or rejects when the call ends first. */
  sleep(milliseconds: number): Promise<void>;
}

/** The causes that end a call, and the messages of their errors. */
export interface Ends extends Pick<PreparedRequest, 'operation' | 'repeat'> {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** The message of its error. Default: that of the code. */
  endedMessage?: string;
}

/**
 * Runs a call until its time limit or its caller ends it. Not with `AbortSignal.timeout`, which
 * does not take the client's clock and does not keep a process alive.
 *
 * @throws BridgeClientError `timeout` or `aborted`
 */
export async function withDeadline<Value>(
  clock: Clock,
  { timeoutMs = Number.POSITIVE_INFINITY, signal: callerSignal, ...prepared }: Ends,
  run: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const timeout = new AbortController();
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout.signal]) : timeout.signal;
  const endsAt = clock.now() + timeoutMs;
  const stopTimer = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, () => timeout.abort()) : () => undefined;
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  // It may abort while no call waits for it.
  ended.catch(() => undefined);
  const race = <Raced>(promise: Promise<Raced>) => Promise.race([promise, ended]);
  try {
    signal.throwIfAborted();
    return await run({
      signal,
      remainingMs: () => endsAt - clock.now(),
      race,
      async sleep(milliseconds) {
        let cancel: (() => void) | undefined;
        const slept = new Promise<void>((resolve) => {
          cancel = clock.after(milliseconds, resolve);
        });
        await race(slept).finally(cancel);
      },
    });
  } catch (error) {
    // A call within this one was ended by the same signal.
    const isOfSignal = !isBridgeClientError(error) || error.code === 'aborted';
    if (!signal.aborted || !isOfSignal) throw error;
    throw endedError(callerSignal?.aborted ? 'aborted' : 'timeout', prepared, timeoutMs);
  } finally {
    stopTimer();
  }
}
