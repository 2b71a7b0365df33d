import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import {
  type ErrorBody,
  type FailureName,
  failures,
  failureStatus,
  type Mode,
  type Operation,
  type OperationId,
  operations,
} from '../../contract/index.js';
import { type Caller, identifyCaller } from '../domain/accounts/login.js';
import { ApiError } from '../domain/errors/api-error.js';
import type { BridgeContext } from '../domain/context.js';
import { type BodyBudget, type BodySender, createBodyBudget } from '../domain/limits/body-budget.js';
import { bodyBytes, inputLimits } from '../domain/limits/limits.js';
import { JsonPieces } from '../domain/values/json-pieces.js';
import { scrubText } from '../config/log.js';
import { assertStorableEncoded, UnstorableTextError } from '../pages/storable-text.js';
import { AdapterError } from '../ports/adapter-error.js';
import { describeOutage, findOutage, retryAfterSeconds } from '../store/outages.js';
import { type Bindings, isAborted, securityHeaders } from './connection.js';
import { handlers } from './handlers.js';
import { assertStorableBody, readJsonBody, refuseSensitiveKeys, validate } from './request.js';
import { operationSchemas, pathSchemas, type OperationSchemas } from '../../contract/schemas/index.js';
import { sendPieces } from './send-pieces.js';
import { serveDocuments } from './serve-documents.js';

/** The API's app. */
export type Api = Hono<{ Bindings: Bindings }>;

/** The dependencies of the API besides the context. */
export interface ApiOptions {
  /**
   * Whether the instance is ready for requests: the database is up, its tables are up to date, and
   * the bridge is not stopping.
   */
  isReady: () => Promise<boolean>;
}

type ApiContext = Context<{ Bindings: Bindings }>;

/** The operations of the table, over HTTP. */
export function createApi(context: BridgeContext, options: ApiOptions): Api {
  const api: Api = new Hono();
  // Separate budgets, so that neither slow uploads of documents nor test mode block partners.
  const budgets = {
    live: budgetOf(inputLimits.apiBodiesBytes.max),
    test: budgetOf(inputLimits.apiTestBodiesBytes.max),
  };

  const isSecure = context.settings.bridgeUrl.startsWith('https:');
  const headers = Object.entries({ ...securityHeaders, ...(isSecure ? strictTransport : {}) });
  api.use(async function addSecurityHeaders(c, next) {
    for (const [name, value] of headers) c.env.outgoing?.setHeader(name, value);
    await next();
  });

  api.use(async function refuseUnstorableUrls(c, next) {
    assertStorableEncoded(c.req.url);
    await next();
  });

  async function serve(c: ApiContext, id: OperationId, path: string): Promise<Response> {
    const operation: Operation = operations[id];
    Object.assign(c.env, { operation: id, route: path });
    const caller = await authenticate(context, operation, c.req.header('authorization'), c.env.address);
    if (caller !== undefined) {
      Object.assign(c.env.logged, { credentialId: caller.credentialId, mode: caller.mode });
      await context.limiter.take('requests', caller.credentialId);
    }
    const call = {
      params: readParams(c),
      query: readQuery(c, id),
      body: operation.body ? await readOperationBody(c, id, caller, budgets) : undefined,
      caller,
      header: (name: string) => c.req.header(name),
      address: c.env.address,
    };
    // The table has the parts of each operation by its id; the type here is any of them.
    const handler = handlers[id] as (context: BridgeContext, call: unknown) => Promise<object>;
    const answer = await handler(context, call);
    return answer instanceof JsonPieces ? sendPieces(answer) : c.json(answer);
  }

  for (const { path, methods } of routes()) {
    for (const [method, id] of methods) api.on(method, path, (c) => serve(c, id, path));
    api.all(path, (c) => {
      const allow = methods.map(([method]) => method).join(', ');
      c.header('allow', allow);
      throw new ApiError('method_not_allowed', `method: expected ${allow}`);
    });
  }
  api.get('/healthz', (c) => c.json({ status: 'ok' }));
  api.get('/readyz', async (c) => {
    if (!(await options.isReady())) throw new ApiError('not_ready', 'bridge: starting, stopping or without database');
    return c.json({ status: 'ready' });
  });
  serveDocuments(api, context.settings.bridgeUrl);
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
    api.all(path, (c) => {
      c.header('allow', 'GET');
      throw new ApiError('method_not_allowed', 'method: expected GET');
    });
  }

  // Not `notFound`: its errors bypass the middleware above.
  api.all('*', () => {
    throw new ApiError('unknown_route', 'path: expected one of the documented addresses');
  });
  api.onError((thrown, c) => {
    const error = describeFailure(context, c.env, thrown);
    const { status, body, headers } = failureAnswer(error, c.env.requestId);
    if (status === 500) context.log.error({ err: error, requestId: c.env.requestId }, 'A request failed.');
    // The rest of an unread body would be parsed as the next request.
    if (status === 413) c.header('connection', 'close');
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return c.json(body, status as 400);
  });
  return api;
}

/**
 * The error for the caller: an interrupted body, a failed adapter and an outage of the database are
 * not internal.
 */
function describeFailure({ log }: BridgeContext, bindings: Bindings, thrown: unknown): unknown {
  if (thrown instanceof UnstorableTextError) {
    return new ApiError('invalid_request', 'url: expected UTF-8 without NUL');
  }
  if (isAborted(bindings)) return new ApiError('invalid_request', 'body: expected all of it');
  if (thrown instanceof AdapterError) {
    log.error({ err: thrown, requestId: bindings.requestId }, 'A request failed: an adapter failed.');
    return new ApiError('not_ready', 'bridge: a system behind it does not answer; try again', { retryAfterSeconds });
  }
  const outage = findOutage(thrown);
  if (outage === undefined) return thrown;
  log.warn({ err: thrown, requestId: bindings.requestId }, describeOutage('A request', outage));
  return new ApiError('not_ready', 'bridge: its database is unavailable; try again', { retryAfterSeconds });
}

const strictTransport = { 'strict-transport-security': 'max-age=31536000' };

/** Operations 17 and 18 explain why they reject data that the user must enter. */
const refusesSensitiveKeys: ReadonlySet<OperationId> = new Set(['syncProfile', 'createSession']);

function readParams(c: ApiContext): Record<string, unknown> {
  const read = Object.entries(c.req.param()).map(([name, text]) => {
    const schema: z.ZodType | undefined = Object.hasOwn(pathSchemas, name)
      ? pathSchemas[name as keyof typeof pathSchemas]
      : undefined;
    return [name, schema === undefined ? text : validate<unknown>(schema, text, name)];
  });
  return Object.fromEntries(read) as Record<string, unknown>;
}

function readQuery(c: ApiContext, id: OperationId): unknown {
  const { query }: OperationSchemas = operationSchemas[id];
  if (query === undefined) return undefined;
  const given = Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')]);
  return validate<unknown>(query, Object.fromEntries(given), 'query');
}

function budgetOf(all: number): BodyBudget {
  return createBodyBudget({ all, agency: all / 2 });
}

async function readOperationBody(
  c: ApiContext,
  id: OperationId,
  caller: Caller | undefined,
  budgets: Record<Mode, BodyBudget>,
): Promise<unknown> {
  // An operation without a limit has no body.
  const maxBytes = bodyBytes[id as keyof typeof bodyBytes];
  const sender: BodySender = caller === undefined ? {} : { agency: caller.agencyId };
  const body = await readJsonBody(c.req.raw, maxBytes, (raw, use) =>
    budgets[caller?.mode ?? 'live'].read(sender, raw, use),
  );
  if (refusesSensitiveKeys.has(id)) refuseSensitiveKeys(body);
  const { body: schema }: OperationSchemas = operationSchemas[id];
  const read = schema === undefined ? body : validate<unknown>(schema, body, 'body');
  assertStorableBody(body);
  return read;
}

/**
 * The operations by path, in Hono's syntax, fixed paths first: `sessions` is not an application id.
 */
function routes(): { path: string; methods: [string, OperationId][] }[] {
  const byPath = new Map<string, [string, OperationId][]>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    byPath.set(pattern, [...(byPath.get(pattern) ?? []), [method, id as OperationId]]);
  }
  return [...byPath]
    .map(([path, methods]) => ({ path, methods }))
    .sort((left, right) => Number(left.path.includes(':')) - Number(right.path.includes(':')));
}

/**
 * Authenticates the caller and checks that the operation is available.
 *
 * @throws ApiError `invalid_token`, `too_many_requests`, `agency_deactivated`,
 *   `agency_deactivated_token` or `unknown_route`.
 */
export async function authenticate(
  context: BridgeContext,
  operation: Operation,
  authorization: string | undefined,
  address: string,
): Promise<Caller | undefined> {
  if (operation.auth === 'none') return undefined;
  if (operation.auth === 'optional' && authorization === undefined) return undefined;
  const token = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await identifyCaller(context, token, address);
  if (caller === undefined) throw new ApiError('invalid_token', 'Authorization: expected a valid bearer token');
  if (caller.isDeactivated) throw deactivated(operation);
  // The test helpers are not available for a live token.
  if (operation.auth === 'test' && caller.mode !== 'test') {
    throw new ApiError('unknown_route', 'path: expected one of the documented addresses');
  }
  return caller;
}

function deactivated(operation: Operation): ApiError {
  const name = operation.statuses.includes(403) ? 'agency_deactivated' : 'agency_deactivated_token';
  return new ApiError(name, 'Authorization: the agency of this token is deactivated');
}

/** An error response. */
export interface FailureAnswer {
  status: number;
  body: ErrorBody;
  headers: Record<string, string>;
}

/** Details contain field names, which come from callers. */
const maxDetailsLength = 500;

/**
 * Converts any thrown error to a response; no other code builds error bodies. An unknown error is
 * an internal error: the response only contains the id of the request, by which the log has the
 * details.
 */
export function failureAnswer(thrown: unknown, requestId: string): FailureAnswer {
  if (!(thrown instanceof ApiError)) return answer('internal', `request id: ${requestId}`, {});
  const { failure, details, retryAfterSeconds } = thrown;
  return answer(failure, details, {
    ...(failureStatus(failure) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}

function answer(name: FailureName, details: string, headers: Record<string, string>): FailureAnswer {
  const [code, errorMessage] = failures[name];
  const safeDetails = scrubText(details).slice(0, maxDetailsLength);
  return { status: failureStatus(name), body: { code, details: safeDetails, errorMessage }, headers };
}
