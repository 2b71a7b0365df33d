import type { z } from 'zod';
import { operations, type LoginResponse, type OperationId, type ReceivedTypes } from '../../contract/index.js';
import { responseSchemas } from '../../contract/schemas/index.js';
import { assertKnownNames } from '../configuration.js';
import { isBridgeClientError } from './bridge-client-error.js';
import type { BridgeRequest } from './bridge-client.js';
import { startDeadline, type Deadline } from './deadline.js';
import { endedError, parseJson, refusedError, unreachableError, unreadableError, type Attempt } from './failure.js';
import { createLogin } from './login.js';
import { checkTimeout, type CallOptions, type Settings } from './options.js';
import {
  prepareOperation,
  prepareRequest,
  type AnyInput,
  type OperationInput,
  type PreparedRequest,
} from './request.js';
import { mayRepeat, retryDelayMs } from './retry.js';
import { send, type Answer, type NoAnswer, type Outcome } from './send.js';

/**
 * The calls of a client. Each rejects with a `BridgeClientError`, or with a `TypeError` before
 * anything is sent.
 */
export interface Calls {
  /** Calls an operation and resolves with its checked answer. */
  call<Id extends OperationId>(
    id: Id,
    input: OperationInput<Id> & AnyInput,
    options?: CallOptions & { idempotencyKey?: string },
  ): Promise<ReceivedTypes[Id]>;
  /** Sends a request of the caller's own and resolves with the parsed answer. */
  request(request: BridgeRequest, options?: CallOptions): Promise<unknown>;
  /** Logs in now. */
  login(options?: CallOptions): Promise<LoginResponse>;
  /** Continues with another secret. */
  replaceSecret(clientSecret: string): void;
}

const optionNames: readonly (keyof CallOptions)[] = ['signal', 'timeoutMs'];

/** How each answer is read, by operation. */
const schemas: { [Id in OperationId]: z.ZodType<ReceivedTypes[Id]> } = responseSchemas;

/** Creates the calls of a client. All secrets live in this closure. */
export function createCalls(settings: Settings): Calls {
  const { clock, fetch, log, random, retries } = settings;

  const login = createLogin(
    settings.credentials,
    async (credentials) => (await call('login', { body: credentials })).accessToken,
    clock,
  );

  async function call<Id extends OperationId>(
    id: Id,
    input: OperationInput<Id> & AnyInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<ReceivedTypes[Id]> {
    const takesKey = 'idempotencyKey' in operations[id];
    assertKnownNames(id, options, takesKey ? [...optionNames, 'idempotencyKey'] : optionNames);
    const request = prepareOperation(id, input, settings, options.idempotencyKey);
    return withDeadline(request, options, (deadline) =>
      succeed(request, deadline, (answer, attempt) => {
        // Operation 17 may answer with an empty body.
        const { success, data, error } = schemas[id].safeParse(answer.text === '' ? {} : parseJson(answer.text));
        if (!success) throw unreadableError(answer, attempt, error.issues[0]?.path);
        return data;
      }),
    );
  }

  async function request(given: BridgeRequest, options: CallOptions = {}): Promise<unknown> {
    assertKnownNames('request', given, ['method', 'path', 'query', 'body', 'headers']);
    assertKnownNames('request', options, optionNames);
    const prepared = prepareRequest(given, settings.baseUrl);
    return withDeadline(prepared, options, (deadline) =>
      succeed(prepared, deadline, (answer, attempt) => {
        const value = parseJson(answer.text);
        if (value === undefined && answer.text !== '') throw unreadableError(answer, attempt);
        return value;
      }),
    );
  }

  /** Runs a call until its deadline or its caller ends it. */
  async function withDeadline<Value>(
    prepared: Pick<PreparedRequest, 'operation' | 'repeat'>,
    { timeoutMs = settings.timeoutMs, signal }: CallOptions,
    run: (deadline: Deadline) => Promise<Value>,
  ): Promise<Value> {
    const deadline = startDeadline(clock, checkTimeout(timeoutMs), signal);
    try {
      deadline.signal.throwIfAborted();
      return await run(deadline);
    } catch (error) {
      const endedBy = deadline.endedBy();
      if (!endedBy || isBridgeClientError(error)) throw error;
      throw endedError(endedBy, prepared, timeoutMs);
    } finally {
      deadline.clear();
    }
  }

  /** Attempts a request until it succeeds or must not be repeated. */
  async function succeed<Value>(
    prepared: PreparedRequest,
    deadline: Deadline,
    read: (answer: Answer, attempt: Attempt) => Value,
  ): Promise<Value> {
    const { operation, auth, repeat } = prepared;
    let tokenWasRenewed = false;
    for (let repetitions = 0; ;) {
      // A login is shared by many calls, so it has a deadline of its own.
      const token = needsToken(auth) ? await deadline.race(login.token()) : undefined;
      const outcome = await attemptOnce(prepared, token, deadline);
      const attempt = { request: prepared, secrets: login.secrets(), now: clock.now() };
      if (outcome.kind === 'answer') {
        if (outcome.status >= 200 && outcome.status < 300) return read(outcome, attempt);
        // A refused token means that nothing was done, so any operation can follow it with a new
        // one: once.
        if (outcome.status === 401 && token !== undefined && !tokenWasRenewed) {
          login.drop(token);
          tokenWasRenewed = true;
          continue;
        }
      }
      const error = outcome.kind === 'answer' ? refusedError(outcome, attempt) : unreachableError(outcome, prepared);
      const delayMs = retryDelayMs(repetitions, error.retryAfterMs, random);
      if (repetitions >= retries || !mayRepeat(repeat, outcome) || delayMs >= deadline.remainingMs()) throw error;
      repetitions += 1;
      log({ level: 'info', event: 'bridge.retry', operation, attempt: repetitions, delayMs, code: error.code });
      await deadline.sleep(delayMs);
    }
  }

  /** Sends a request once. Rejects only when the call is ended. */
  async function attemptOnce(
    prepared: PreparedRequest,
    token: string | undefined,
    deadline: Deadline,
  ): Promise<Outcome> {
    const startedAt = clock.now();
    const outcome = await deadline
      .race(send(fetch, prepared, token, deadline.signal))
      .catch((): NoAnswer => ({ kind: 'lost', networkCode: undefined }));
    log({
      level: 'debug',
      event: 'bridge.call',
      operation: prepared.operation,
      durationMs: clock.now() - startedAt,
      ...(outcome.kind === 'answer'
        ? { status: outcome.status }
        : { failure: deadline.endedBy() ?? outcome.networkCode ?? 'connection failed' }),
    });
    if (outcome.kind !== 'answer') deadline.signal.throwIfAborted();
    return outcome;
  }

  function needsToken(auth: PreparedRequest['auth']): boolean {
    return auth === 'optional' ? login.isPossible : auth !== 'none';
  }

  return {
    call,
    request,
    async login(options = {}) {
      assertKnownNames('login', options, optionNames);
      return withDeadline({ operation: 'login', repeat: 'always' }, options, async (deadline) => ({
        accessToken: await deadline.race(login.renew()),
      }));
    },
    replaceSecret: login.replaceSecret,
  };
}
