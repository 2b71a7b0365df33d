import assert from 'node:assert/strict';
import { failuresOf } from '../../scripts/docs/api/operation-failures.js';
import {
  failures,
  operations,
  type ErrorBody,
  type OperationId,
  type OperationTypes,
} from '../../src/contract/index.js';
import { contractProblems } from './contract.js';

/** The input of a call of an operation. Loosely typed, because tests also send invalid values. */
export interface CallParts {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Absent: no body is sent. */
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** A response of an operation. A test reads its fields or those of a failure. */
export interface OperationAnswer<Id extends OperationId> {
  status: number;
  headers: Headers;
  body: OperationTypes[Id]['response'] & ErrorBody;
}

/** The target of a call. */
export function urlOf(id: OperationId, { params = {}, query = '' }: Pick<CallParts, 'params' | 'query'>): string {
  const path = operations[id].path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? name),
  );
  return `${path}${query}`;
}

/**
 * Calls an operation of the table at a URL. Every response must match the contract, and every failure the page of the
 * operation.
 */
export async function callOperation<Id extends OperationId>(
  baseUrl: string,
  id: Id,
  parts: CallParts = {},
): Promise<OperationAnswer<Id>> {
  const { body, token, headers } = parts;
  const response = await fetch(`${baseUrl}${urlOf(id, parts)}`, {
    method: operations[id].method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as OperationAnswer<Id>['body'],
  };
  assert.deepEqual(contractProblems(id, answer), [], `${id}: ${JSON.stringify(answer.body)}`);
  if (answer.status !== 200) {
    const codes = failuresOf(id).map((name) => failures[name][0] as number);
    assert.ok(codes.includes(answer.body.code), `The page of ${id} does not have the error ${answer.body.code}.`);
  }
  return answer;
}
