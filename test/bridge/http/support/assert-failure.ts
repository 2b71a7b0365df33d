import assert from 'node:assert/strict';
import { failures, failureStatus, type ErrorBody, type FailureName } from '../../../../src/contract/index.js';

/** A response of any operation. */
export interface AnyAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Asserts that a response is a failure in the common shape. */
export function assertFailureShape({ status, headers, body }: AnyAnswer): ErrorBody {
  const what = JSON.stringify(body);
  assert.deepEqual(Object.keys(body as object).sort(), ['code', 'details', 'errorMessage'], what);
  const { code, details, errorMessage } = body as ErrorBody;
  assert.equal(Math.floor(code / 100), status, what);
  assert.ok(
    Object.values(failures).some(([number, sentence]) => number === code && sentence === errorMessage),
    what,
  );
  assert.ok(details.length > 0 && details.length <= 500, what);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.match(headers.get('x-request-id') ?? '', /^req_/);
  assert.equal(headers.get('cache-control'), 'no-store', what);
  assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null);
  assert.equal(headers.has('allow'), status === 405);
  assert.equal(headers.has('retry-after'), status === 429);
  return body as ErrorBody;
}

/** Asserts that a response is this failure. */
export function assertFailure(answer: AnyAnswer, name: FailureName): ErrorBody {
  const body = assertFailureShape(answer);
  assert.deepEqual([answer.status, body.code], [failureStatus(name), failures[name][0]], JSON.stringify(body));
  return body;
}
