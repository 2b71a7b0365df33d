import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  applicationStatuses,
  applicationSteps,
  failures,
  failureStatus,
  operations,
  stateCodes,
  stateNames,
  statusNames,
  statusTransitions,
  stepNames,
  testBankAccounts,
  testCards,
  testSsns,
  type FailureName,
  type Operation,
} from '../../src/contract/index.js';

describe('the failures', () => {
  it('Each failure has a unique number that begins with a valid status.', () => {
    const numbers = Object.values(failures).map(([number]) => number);
    assert.equal(new Set(numbers).size, numbers.length);
    for (const name of Object.keys(failures) as FailureName[]) {
      assert.ok([400, 401, 403, 404, 405, 413, 415, 429, 500, 503].includes(failureStatus(name)), name);
    }
  });

  it('Each failure has a sentence as its text.', () => {
    for (const [, sentence] of Object.values(failures)) assert.match(sentence, /^[A-Z].*\.$/);
  });
});

describe('the operations', () => {
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

  it('Operations answer 401 exactly where they need a token, and GET has no body.', () => {
    for (const { method, body, auth, statuses } of rows) {
      if (auth !== 'none') assert.ok(statuses.includes(401));
      if (method === 'GET') assert.equal(body, false);
      assert.ok(statuses.includes(500));
    }
  });
});

describe('a repeated request', () => {
  it('A repeated request that only reads is always safe.', () => {
    for (const { method, repeat } of Object.values<Operation>(operations)) {
      if (method === 'GET') assert.equal(repeat, 'always');
    }
  });
});

describe('the names', () => {
  it('The names of all states exist, and no others.', () => {
    assert.equal(stateCodes.length, 56);
    assert.deepEqual(Object.keys(stateNames).sort(), [...stateCodes].sort());
  });

  it('The names of steps and statuses exist in each language.', () => {
    for (const names of Object.values(stepNames)) {
      assert.deepEqual(Object.keys(names).sort(), ['not_started', 'submitted', ...applicationSteps].sort());
    }
    for (const names of Object.values(statusNames)) {
      assert.deepEqual(Object.keys(names).sort(), [...applicationStatuses].sort());
    }
  });
});

describe('the statuses', () => {
  it('Final statuses stay.', () => {
    assert.deepEqual(statusTransitions.approved, []);
    assert.deepEqual(statusTransitions.denied, []);
  });
});

describe('test mode', () => {
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

  it('Test mode has cards that a form accepts.', () => {
    for (const { number } of testCards) assert.equal(luhnSum(number) % 10, 0, number);
  });

  it('Test mode has bank accounts whose routing number a form accepts.', () => {
    for (const { routingNumber } of testBankAccounts) {
      const sum = Array.from(routingNumber, Number).reduce((all, digit, at) => all + digit * [3, 7, 1][at % 3]!, 0);
      assert.equal(sum % 10, 0, routingNumber);
    }
  });
});

describe('the room', () => {
  it('The contract is data: it reads no clock, no network and no random number.', async () => {
    for (const file of ['operations', 'failures', 'events', 'states', 'names', 'test-mode', 'application', 'partner']) {
      const text = await readFile(new URL(`../../src/contract/${file}.ts`, import.meta.url), 'utf8');
      assert.doesNotMatch(text, /Date\.now|new Date|Math\.random|fetch\(|process\./, file);
    }
  });
});

function luhnSum(number: string): number {
  const digits = Array.from(number.replaceAll(' ', '')).reverse().map(Number);
  return digits.reduce((sum, digit, index) => {
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
}
