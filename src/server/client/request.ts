import { z } from 'zod';
import {
  operations,
  type Operation,
  type OperationId,
  type OperationTypes,
  type Repeat,
} from '../../contract/index.js';
import { anything, parseGiven } from '../configuration.js';
import type { CallOptions, Settings } from './options.js';

/** A request of `BridgeClient.request`. */
export interface BridgeRequest {
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `baseUrl`, such as `/v1/account`, each part encoded. */
  path: string;
  /** The query. A list becomes a repeated parameter; `undefined` is left out. */
  query?: object;
  /** The JSON body. A field `ssn` is rejected. */
  body?: object;
  /** Further headers, such as `Idempotency-Key`. */
  headers?: Record<string, string>;
}

const requestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string(),
  query: anything,
  body: anything,
  headers: anything,
} satisfies Record<keyof BridgeRequest, z.ZodType>);

/** Options of `sessions.create`. */
export interface CreateSessionOptions extends CallOptions {
  /**
   * The `Idempotency-Key`. A server that honours it answers the same key and body with the same
   * session for 24 hours. 1–255 visible ASCII characters. Default: a random one for each call.
   */
  idempotencyKey?: string;
}

/** The path parameters, query and body of a call, each only where the operation has one. */
export type OperationInput<Id extends OperationId> = {
  [Part in keyof Parts<Id> as Parts<Id>[Part] extends undefined ? never : Part]: Parts<Id>[Part];
};
type Parts<Id extends OperationId> = Pick<OperationTypes[Id], 'params' | 'query' | 'body'>;

/** {@link OperationInput} of any operation. */
export interface AnyInput {
  params?: object;
  query?: object;
  body?: object;
}

/** A checked request without its token. Every attempt sends the same. */
export interface PreparedRequest {
  operation: OperationId | 'request';
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  auth: Operation['auth'];
  repeat: Repeat;
  /** The fields that an error may name. */
  fields: readonly string[];
}

/** Names of fields that only users enter, in the hosted application. */
const sensitiveName = /^(ssn|social[_-]?security.*|background[_-]?(questions|answers).*)$/i;

/** Builds the request of an operation. @throws TypeError when an argument is wrong. */
export function prepareOperation(
  id: OperationId,
  input: AnyInput,
  { baseUrl, honorsIdempotencyKey }: Pick<Settings, 'baseUrl' | 'honorsIdempotencyKey'>,
  idempotencyKey?: string,
): PreparedRequest {
  const operation: Operation = operations[id];
  const { method, path, auth } = operation;
  const { onboardType } = (input.body ?? {}) as { onboardType?: unknown };
  const takesSsn = operation.ssn === 'always' || (operation.ssn === 'team' && onboardType === 'team');
  const body = operation.body ? bodyText(id, input.body, takesSsn) : undefined;
  const params = new Map<string, unknown>(Object.entries(input.params ?? {}));
  return {
    operation: id,
    method,
    url: `${baseUrl}${pathText(id, path, params)}${queryText(id, input.query)}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(operation.idempotencyKey && { 'idempotency-key': checkKey(id, idempotencyKey) }),
    },
    body,
    auth,
    repeat: operation.idempotencyKey && honorsIdempotencyKey ? 'always' : repeatOf(operation, onboardType),
    fields: [...operation.fields, ...params.keys()],
  };
}

/** Builds a request that no method covers. @throws TypeError when an argument is wrong. */
export function prepareRequest(request: BridgeRequest, baseUrl: string): PreparedRequest {
  parseGiven('request', requestSchema, request);
  const { method, path, query, body } = request;
  const url = `${baseUrl}${path}`;
  // Normalizing would resolve "..", which changes the operation that is called.
  if (!/^\/[^?#]*$/.test(path) || new URL(url).href !== url) {
    throw new TypeError('request: path must start with "/" and be encoded, without "..". Pass the query as `query`.');
  }
  return {
    operation: 'request',
    method,
    url: `${url}${queryText('request', query)}`,
    headers: {
      ...readHeaders(request.headers),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : bodyText('request', body, false),
    auth: 'optional',
    repeat: method === 'GET' ? 'always' : 'unless_processed',
    fields: Object.values(operations).flatMap(({ fields }) => fields),
  };
}

function readHeaders(headers: BridgeRequest['headers'] = {}): Record<string, string> {
  let read: Headers;
  try {
    read = new Headers(headers);
  } catch {
    // The platform's error quotes the value.
    throw new TypeError('request: headers must be names and values that HTTP allows.');
  }
  if (read.has('authorization'))
    throw new TypeError('request: remove the header "authorization". The client sends it.');
  return Object.fromEntries(read);
}

function repeatOf({ repeat }: Operation, onboardType: unknown): Repeat {
  if (typeof repeat === 'string') return repeat;
  // An onboard type that this package does not know may do anything.
  return new Map<unknown, Repeat>(Object.entries(repeat)).get(onboardType) ?? 'unless_processed';
}

function pathText(id: OperationId, path: string, params: ReadonlyMap<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.get(name);
    const text = typeof value === 'number' ? String(value) : value;
    // "." and ".." survive encoding and would change the operation; half a character cannot be
    // encoded.
    if (typeof text !== 'string' || /^\.{0,2}$|\p{Cs}/u.test(text)) {
      throw new TypeError(`${id}: ${name} must be a non-empty string.`);
    }
    return encodeURIComponent(text);
  });
}

/**
 * A list becomes a repeated parameter: a comma would be encoded, and not every host decodes before
 * it splits.
 */
function queryText(operation: OperationId | 'request', query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (sensitiveName.test(name)) throw sensitiveError(operation, name);
    if (value === undefined) continue;
    const items: unknown[] = Array.isArray(value) ? value : [value];
    if (items.length === 0) throw new TypeError(`${operation}: ${name} must not be empty.`);
    for (const item of items) search.append(name, queryItem(operation, name, item));
  }
  return search.size > 0 ? `?${search.toString()}` : '';
}

function queryItem(operation: OperationId | 'request', name: string, item: unknown): string {
  if (typeof item === 'string' && item !== '') return item;
  if (Number.isSafeInteger(item) && Number(item) > 0) return String(item);
  throw new TypeError(`${operation}: ${name} must be a non-empty string or a number of at least 1.`);
}

function bodyText(operation: OperationId | 'request', body: unknown, takesSsn: boolean): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError(`${operation}: the body must be an object.`);
  }
  return JSON.stringify(body, function refuseSensitive(key, value: unknown) {
    // The bridge rejects it too, but by then it would have left this machine.
    if (sensitiveName.test(key) && !(takesSsn && this === body && key === 'ssn')) throw sensitiveError(operation, key);
    return value;
  });
}

function sensitiveError(operation: OperationId | 'request', name: string): TypeError {
  return new TypeError(
    `${operation}: remove "${name}". The user enters it in the hosted application. Only \`producers.lookUpNpn\` and the onboard type "team" take an "ssn".`,
  );
}

function checkKey(id: OperationId, key: unknown = crypto.randomUUID()): string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError(`${id}: idempotencyKey must be 1–255 visible ASCII characters.`);
}
