import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OperationId } from '../../../src/contract/index.js';
import { responseSchemas } from '../../../src/contract/schemas/index.js';
import { applicationBody } from '../support/client.js';
import { operationCases } from '../support/operations.js';

const state = {
  state: 'TX',
  status: 'requires_action',
  updatedAt: 'now',
  actionUrl: 'https://a.example/a/1',
  reason: 'r',
};
const fullApplication = { ...applicationBody, submittedAt: 'now', states: [state] };
const residentialAddress = { street: 's', city: 'c', state: 'TX', zip: '78701' };

/** Responses with every field of the contract, which the usual ones lack in part. */
const fullAnswers: Record<string, unknown> = {
  getApplication: fullApplication,
  decideState: fullApplication,
  syncProfile: {
    ...{ userId: 'u', npn: '1', firstName: 'f', lastName: 'l', email: 'e', phone: 'p', dateOfBirth: '1980-01-02' },
    ...{ residentialAddress, updatedAt: 'now' },
  },
};

/** Strings with a pattern that no number matches. */
const formed = ['accessToken', 'applicationUrl', 'actionUrl'];

/** The same shape with another value for each string, number and boolean. */
function replaced(value: unknown, replace: (leaf: unknown) => unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, replace, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field, replace, name)]));
  }
  return formed.includes(key) ? value : replace(value);
}

/** The same with an additional field in every object. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, extended(field)]);
  return { ...Object.fromEntries(fields), unheardOf: { since: 2027, texts: ['new'], none: null } };
}

suite('the known fields of each response', () => {
  for (const id of Object.keys(operationCases) as OperationId[]) {
    const answer = fullAnswers[id] ?? operationCases[id].answer;
    const read = (sent: unknown) => responseSchemas[id].parse(sent);

    test(`${id}: numbers in place of strings, spelled numbers and booleans, and unknown values and fields are read.`, () => {
      const ofTexts = (other: unknown) => replaced(answer, (leaf) => (typeof leaf === 'string' ? other : leaf));
      assert.deepEqual(read(ofTexts(7)), ofTexts('7'));
      assert.deepEqual(read(replaced(answer, String)), answer);
      assert.deepEqual(read(ofTexts('unheard_of')), ofTexts('unheard_of'));
      assert.deepEqual(read(extended(answer)), extended(answer));
    });
  }
});
