import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => bridge.stop());

let lastUser = 0;
const newUser = () => `usr_${(lastUser += 1)}`;
const sync = (userId: string, body: unknown, token?: string) =>
  bridge.call('PATCH', `/v1/users/${encodeURIComponent(userId)}/licensing-profile`, {
    body,
    ...(token === undefined ? {} : { token }),
  });

const residentialAddress = { street: '100 Example Street', city: 'Sampleton', state: 'TX', zip: '75001' };
const full = {
  npn: '9000000001',
  firstName: 'Avery',
  lastName: 'Sample',
  email: 'avery.sample@example.com',
  phone: '512-555-0142',
  dateOfBirth: '1988-04-12',
  residentialAddress,
};

test('A profile is created, and later ones are merged: absent keeps, null removes, the address is replaced whole.', async () => {
  const userId = newUser();
  const first = await sync(userId, full);
  assert.equal(first.status, 200);
  const { updatedAt, ...profile } = first.body;
  assert.match(updatedAt, /Z$/);
  assert.deepEqual(profile, { userId, ...full });

  const moved = { street: '1 Other Street', city: 'Elsewhere', state: 'CA', zip: '90001-1234' };
  const second = await sync(userId, { email: 'avery@example.com', phone: null, residentialAddress: moved });
  const { phone: _, ...kept } = full;
  const expected = { userId, ...kept, email: 'avery@example.com', residentialAddress: moved };
  assert.deepEqual({ ...second.body, updatedAt: undefined }, { ...expected, updatedAt: undefined });
  assert.deepEqual((await sync(userId, { residentialAddress: null })).body.residentialAddress, undefined);
});

test('An empty profile creates a user.', async () => {
  const userId = 'usr/with spaces & ümlaut';
  const { status, body } = await sync(userId, {});
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body as object), ['userId', 'updatedAt']);
  assert.equal(body.userId, userId);
});

test('Concurrent merges both count.', async () => {
  const userId = newUser();
  await Promise.all([
    sync(userId, { firstName: 'Avery' }),
    sync(userId, { lastName: 'Sample' }),
    sync(userId, { npn: 7 }),
  ]);
  const { body } = await sync(userId, {});
  assert.deepEqual([body.firstName, body.lastName, body.npn], ['Avery', 'Sample', '7']);
});

for (const [sent, kept] of [
  ['0001234567', '1234567'],
  [1234567, '1234567'],
  [9999999999, '9999999999'],
  ['1', '1'],
] as const) {
  test(`NPN ${JSON.stringify(sent)} is stored as "${kept}".`, async () => {
    assert.equal((await sync(newUser(), { npn: sent })).body.npn, kept);
  });
}

const wrong: [string, unknown][] = [
  ...['0', '', '12345678901', '00000000001', '12a', ' 1', 0, -1, 1.5, 10_000_000_000].map((npn): [string, unknown] => [
    'npn',
    { npn },
  ]),
  ...['', '   ', 'a\nb', 'a\u0000', '\ud800', 'x'.repeat(101), 5].map((firstName): [string, unknown] => [
    'firstName',
    { firstName },
  ]),
  ...['', 'nobody', 'a@b', 'a b@example.com', 7].map((email): [string, unknown] => ['email', { email }]),
  // The last one takes minutes with a backtracking pattern.
  ...['', 'call me', '123', '1'.repeat(41), `${'x'.repeat(10_000)}\n`].map((phone): [string, unknown] => [
    'phone',
    { phone },
  ]),
  ...['1988-4-12', '12/04/1988', '1988-02-30', '1988-04-12T00:00:00Z', '0001-01-01', ''].map(
    (dateOfBirth): [string, unknown] => ['dateOfBirth', { dateOfBirth }],
  ),
  ['residentialAddress.zip', { residentialAddress: { ...residentialAddress, zip: '7500' } }],
  ['residentialAddress.zip', { residentialAddress: { ...residentialAddress, zip: '75001-12' } }],
  ['residentialAddress.state', { residentialAddress: { ...residentialAddress, state: 'tx' } }],
  ['residentialAddress.state', { residentialAddress: { ...residentialAddress, state: 'ZZ' } }],
  ['residentialAddress.city', { residentialAddress: { ...residentialAddress, city: '' } }],
  ['residentialAddress.street', { residentialAddress: { city: 'Sampleton', state: 'TX', zip: '75001' } }],
];
for (const [field, body] of wrong) {
  test(`${JSON.stringify(body).slice(0, 80)} is 400 and names ${field}.`, async () => {
    const answer = await sync(newUser(), body);
    assert.equal(answer.body.code, 40001, JSON.stringify(answer.body));
    assert.match(answer.body.details, new RegExp(`^${field}: expected `));
  });
}

test('A birth date in the future is refused.', async () => {
  const userId = newUser();
  const dayIn = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
  // It may already be tomorrow in another time zone, or become so during this test.
  for (const dateOfBirth of [dayIn(3), dayIn(400), '9999-12-31']) {
    const answer = await sync(userId, { firstName: 'Avery', dateOfBirth });
    assert.equal(answer.body.code, 40001, dateOfBirth);
    assert.match(answer.body.details, /^dateOfBirth: expected /);
  }
  assert.equal((await sync(userId, {})).body.firstName, undefined);
  for (const dateOfBirth of [dayIn(0), '1900-01-01']) {
    assert.equal((await sync(userId, { dateOfBirth })).body.dateOfBirth, dateOfBirth);
  }
});

test('An SSN in a profile is refused with a message that says why, without its value.', async () => {
  const userId = newUser();
  const ssn = '900-11-0001';
  const answer = await sync(userId, { firstName: 'Avery', residentialAddress: { ...residentialAddress, ssn } });
  assert.equal(answer.body.code, 40005);
  assert.match(answer.body.errorMessage, /hosted application only/);
  assert.match(answer.body.details, /never pass through a partner's systems/);
  assert.doesNotMatch(JSON.stringify(answer.body), /900-?11/);
  assert.equal((await sync(userId, {})).body.firstName, undefined);
});

for (const userId of ['\u0000', 'a\nb', 'x'.repeat(256), '%']) {
  test(`The user id ${JSON.stringify(userId).slice(0, 20)} is ${userId === '%' ? 'accepted' : '400'}.`, async () => {
    assert.equal((await sync(userId, {})).status, userId === '%' ? 200 : 400);
  });
}
