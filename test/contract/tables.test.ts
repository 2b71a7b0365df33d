import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  failures,
  failureStatus,
  operations,
  statusTransitions,
  testSsns,
  type FailureName,
  type Operation,
} from '../../src/contract/index.js';

it('Each failure has a unique number that begins with a valid status.', () => {
  const numbers = Object.values(failures).map(([number]) => number);
  assert.equal(new Set(numbers).size, numbers.length);
  for (const name of Object.keys(failures) as FailureName[]) {
    assert.ok([400, 401, 403, 404, 405, 413, 415, 429, 500, 503].includes(failureStatus(name)), name);
  }
});

const rows = Object.values<Operation>(operations);

it('Each operation has a unique method and path.', () => {
  const calls = rows.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  assert.equal(new Set(calls).size, calls.length);
});

it('The operations have the numbers of the spec, once each.', () => {
  const numbers = rows.map(({ number }) => number).filter((number) => number > 0);
  const all = Array.from({ length: 19 }, (_, index) => index + 1);
  assert.deepEqual(numbers, all);
});

it('Operations answer 401 exactly where they need a token, and GET has no body and may be repeated.', () => {
  for (const { method, body, auth, statuses, repeat } of rows) {
    if (auth !== 'none') assert.ok(statuses.includes(401));
    if (method === 'GET') assert.deepEqual([body, repeat], [false, 'always']);
    assert.ok(statuses.includes(500));
  }
});

describe('the statuses', () => {
  it('Final statuses stay.', () => {
    assert.deepEqual(statusTransitions.approved, []);
    assert.deepEqual(statusTransitions.denied, []);
  });
});

it('Test mode has SSNs that are never issued, whose last digits decide the result.', () => {
  for (const { ssn, last4, then } of testSsns) {
    assert.match(ssn, /^9\d\d-\d\d-\d{4}$/);
    assert.ok(ssn.endsWith(last4));
    const moves = ['pending_review' as const, ...then];
    for (const [index, status] of then.entries()) {
      const before = moves[index];
      // The user's answer to `requires_action` leads back to `pending_review`.
      const from = before === 'requires_action' ? 'pending_review' : before;
      assert.ok(from && statusTransitions[from].includes(status), `${ssn}: ${String(before)} to ${status}`);
    }
  }
});
