import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { json } from '../support/hostile-bridge.js';
import { applicationBody, setup } from '../support/client.js';
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
  for (const [id, { call, path, answer: usual }] of Object.entries(operationCases)) {
    const answer = fullAnswers[id] ?? usual;
    const readAs = async (t: Parameters<typeof setup>[0], sent: unknown) => {
      const { server, client } = await setup(t);
      server.behave(path, json(200, sent));
      return call(client);
    };

    test(`${id}: a number in place of a string is read as that string.`, async (t) => {
      const numbers = replaced(answer, (leaf) => (typeof leaf === 'string' ? 7 : leaf));
      const asTexts = replaced(answer, (leaf) => (typeof leaf === 'string' ? '7' : leaf));
      assert.deepEqual(await readAs(t, numbers), asTexts);
    });

    test(`${id}: a string in place of a number or a boolean is parsed.`, async (t) => {
      const spelled = replaced(answer, (leaf) => String(leaf));
      assert.deepEqual(await readAs(t, spelled), answer);
    });

    test(`${id}: an unknown value is kept.`, async (t) => {
      const unknown = replaced(answer, (leaf) => (typeof leaf === 'string' ? 'unheard_of' : leaf));
      assert.deepEqual(await readAs(t, unknown), unknown);
    });

    // Calls that share a login keep only the token.
    if (id === 'login') continue;
    test(`${id}: unknown fields are kept at any depth.`, async (t) => {
      assert.deepEqual(await readAs(t, extended(answer)), extended(answer));
    });
  }
});
