import { operations } from '../../contract/index.js';
import type { Operation, OperationId, OperationTypes } from '../../contract/index.js';

/** What a call of an operation needs: its path parameters, query and body, each only where the operation has one. */
export type CallInput<Id extends OperationId> = {
  [Part in keyof Parts<Id> as Parts<Id>[Part] extends undefined ? never : Part]: Parts<Id>[Part];
};
type Parts<Id extends OperationId> = Pick<OperationTypes[Id], 'params' | 'query' | 'body'>;

/** {@link CallInput} of any operation. */
export interface AnyInput {
  params?: object;
  query?: object;
  body?: object;
}

/** A request without its token, the same in every attempt. */
export interface PreparedRequest {
  operation: Operation;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What only the user may enter, in the hosted application. */
const sensitiveKey = /^(ssn|social[_-]?security.*|background[_-]?(questions|answers).*)$/i;
const operationsWithoutSensitiveData: readonly OperationId[] = ['syncProfile', 'createSession'];

/**
 * Builds the request of an operation.
 * @throws TypeError when the caller made a mistake; nothing was sent then.
 */
export function prepareRequest(
  id: OperationId,
  baseUrl: string,
  input: AnyInput,
  idempotencyKey?: string,
): PreparedRequest {
  const operation: Operation = operations[id];
  const params = new Map(Object.entries(input.params ?? {}));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(id, name, params.get(name)));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (operation.body) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = checkedKey(id, idempotencyKey);
  return {
    operation,
    url: `${baseUrl}${path}${queryText(id, input.query)}`,
    headers,
    body: operation.body ? bodyText(id, input.body) : undefined,
  };
}

function pathSegment(id: OperationId, name: string, value: unknown): string {
  // "." and ".." survive encoding and would change which operation is called.
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${id}: ${name} must be a text that is not empty.`);
  }
  return encodeURIComponent(value);
}

function queryText(id: OperationId, query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${id}: ${name} must be a text that is not empty.`);
    search.set(name, value);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function bodyText(id: OperationId, body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError(`${id}: the body must be an object.`);
  }
  if (!operationsWithoutSensitiveData.includes(id)) return JSON.stringify(body);
  return JSON.stringify(body, function refuseSensitive(key, value: unknown) {
    // The bridge would refuse it too, but then it would have left this machine already.
    if (sensitiveKey.test(key)) {
      throw new TypeError(`${id}: remove "${key}". The user enters it in the hosted application and nowhere else.`);
    }
    return value;
  });
}

function checkedKey(id: OperationId, key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new TypeError(`${id}: idempotencyKey must be 1–255 visible ASCII characters.`);
  }
  return key;
}
