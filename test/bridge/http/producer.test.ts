import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { assertFailed, producerCalls, readWholeDatabase, type ProducerCalls } from './support/producer-calls.js';

const start = Date.parse('2026-03-02T09:40:00Z');
const addedAt = new Date(start).toISOString();
let now = start;
let bridge: TestBridge;
let calls: ProducerCalls;
before(async () => {
  bridge = await startBridge({
    clock: () => new Date(now),
    environment: { BRIDGE_RATE_LIMIT: '100000', BRIDGE_TOKEN_TTL: '86400' },
  });
  calls = producerCalls(bridge);
  await allow(bridge.agencyId, ['lookup', 'subscribe', 'team']);
});
after(() => bridge.stop());

/** The onboard types of an agency. */
async function allow(agencyId: string, types: string[]): Promise<void> {
  const { db } = bridge.context;
  await db.updateTable('agency').set({ onboardTypes: types }).where('id', '=', agencyId).execute();
}

let lastNpn = 800_000_000;
/** A new producer of the test mode. */
async function setup(): Promise<string> {
  const npn = String((lastNpn += 1));
  await addProducers(bridge.context, 'test', [sampleProducer(npn)]);
  return npn;
}

const member = {
  onboardType: 'team',
  paymentResponsibility: 'agency',
  email: 'member@example.com',
  firstName: 'Sample',
  lastName: 'Member',
};

/** The rows that onboarding writes. */
async function written() {
  const { db } = bridge.context;
  return {
    onboarded: await db.selectFrom('onboardedProducer').selectAll().execute(),
    subscribed: await db.selectFrom('subscription').selectAll().execute(),
    members: await db.selectFrom('teamMember').selectAll().execute(),
  };
}

async function memberOf(npn: string) {
  const { db } = bridge.context;
  return db.selectFrom('teamMember').selectAll().where('npn', '=', Number(npn)).executeTakeFirstOrThrow();
}

async function typeOf(npn: string) {
  const { db } = bridge.context;
  const rows = await db.selectFrom('onboardedProducer').selectAll().where('npn', '=', Number(npn)).execute();
  return rows.map(({ onboardType, onboardedAt }) => [onboardType, onboardedAt.toISOString()]);
}

test("Every onboardType returns the registry's complete record of the producer.", async () => {
  const npn = await setup();
  const { ...sections } = sampleProducer(npn);
  for (const request of [{ onboardType: 'lookup' }, { onboardType: 'subscribe' }, member]) {
    const { status, body } = await calls.onboard({ npn, ...request });
    assert.equal(status, 200);
    const { id, createdAt, updatedAt, ...rest } = body;
    assert.match(id, /./);
    assert.deepEqual([createdAt, updatedAt], [addedAt, addedAt]);
    const { npn: _, ...expected } = sections;
    assert.deepEqual(rest, expected);
  }
});

test('A lookup changes nothing.', async () => {
  const npn = await setup();
  const before = await written();
  assert.equal((await calls.onboard({ npn, onboardType: 'lookup' })).status, 200);
  assert.deepEqual(await written(), before);
});

test('subscribe adds a subscription, and onboards once even if it is repeated.', async (t) => {
  const npn = await setup();
  await calls.onboard({ npn, onboardType: 'subscribe' });
  t.after(() => (now = start));
  now += 60_000;
  await calls.onboard({ npn: Number(npn), onboardType: 'subscribe' });
  assert.deepEqual(await typeOf(npn), [['subscribe', addedAt]]);
  assert.deepEqual((await calls.unsubscribe([npn])).body.npns, [{ npn, addedAt }]);
});

test('A producer who was subscribed before keeps that date, with any onboardType.', async (t) => {
  const npn = await setup();
  await calls.subscribe([npn]);
  assert.deepEqual(await typeOf(npn), []);
  t.after(() => (now = start));
  now += 60_000;
  await calls.onboard({ npn, ...member });
  assert.deepEqual((await calls.subscribe([npn])).body.npns, [{ npn, addedAt }]);
});

test('team takes precedence over subscribe, and the time of the first onboarding stays.', async (t) => {
  const npn = await setup();
  await calls.onboard({ npn, onboardType: 'subscribe' });
  t.after(() => (now = start));
  now += 60_000;
  await calls.onboard({ npn, ...member });
  assert.deepEqual(await typeOf(npn), [['team', addedAt]]);
  await calls.onboard({ npn, onboardType: 'subscribe' });
  assert.deepEqual(await typeOf(npn), [['team', addedAt]]);
});

test('The end of the subscription does not end the onboarding.', async () => {
  const npn = await setup();
  await calls.onboard({ npn, onboardType: 'subscribe' });
  await calls.unsubscribe([npn]);
  assert.deepEqual(await typeOf(npn), [['subscribe', addedAt]]);
});

test('The details of a member are stored; sent again, they are updated, and omitted ones stay.', async () => {
  const npn = await setup();
  await calls.onboard({ npn, ...member, phone: '512-555-0142', gender: 'female', ssn: '900-55-0003' });
  const first = await memberOf(npn);
  assert.deepEqual(first, {
    agencyId: bridge.agencyId,
    mode: 'test',
    npn: Number(npn),
    paymentResponsibility: 'agency',
    email: 'member@example.com',
    firstName: 'Sample',
    lastName: 'Member',
    phone: '512-555-0142',
    gender: 'female',
    updatedAt: new Date(start),
  });

  await calls.onboard({ npn, ...member, paymentResponsibility: 'producer', email: 'new@example.com', gender: 'male' });
  const second = await memberOf(npn);
  const changed = { paymentResponsibility: 'producer', email: 'new@example.com', gender: 'male' };
  assert.deepEqual(second, { ...first, ...changed });
});

test('The SSN of a member is compared with the registry: one of another producer is refused, an unknown one is not.', async () => {
  const [npn, other] = [await setup(), String((lastNpn += 1))];
  await addProducers(bridge.context, 'test', [sampleProducer(other, { ssn: '900550005' })]);
  const { lastName } = sampleProducer(other).biographic;
  assertFailed(await calls.onboard({ npn, ...member, lastName, ssn: '900-55-0005' }), 40010, /^npn, lastName, ssn: /);
  assert.deepEqual(await typeOf(npn), []);
  assert.equal((await calls.onboard({ npn, ...member, lastName, ssn: '900-55-0006' })).status, 200);
  assert.equal((await calls.onboard({ npn: other, ...member, lastName, ssn: '900-55-0005' })).status, 200);
});

test('SSNs cannot be guessed by onboarding either: its misses count together with those of lookUpNpn.', async (t) => {
  const { agencyId, tokens } = await bridge.addAgency();
  await allow(agencyId, ['team']);
  t.after(() => bridge.context.db.deleteFrom('rateLimit').execute());
  const npn = await setup();
  const guess = (digit: number) => calls.onboard({ npn, ...member, ssn: `9005511${10 + digit}` }, tokens.test);
  for (let miss = 0; miss < 20; miss += 1) assert.equal((await guess(miss)).status, 200);
  assertFailed(await guess(20), 42901, /./);
  const { status } = await bridge.call('POST', '/v1/account/producer/npn-lookup', {
    token: tokens.test,
    body: { lastName: 'Sample', ssn: '900-55-1111' },
  });
  assert.equal(status, 429);
});

test("A member's SSN is kept nowhere: not in the database, the log or a response.", async () => {
  const npn = await setup();
  const ssn = '900-55-7319';
  const answers = [
    await calls.onboard({ npn, ...member, ssn }),
    await calls.onboard({ npn, ...member, ssn: ssn.replaceAll('-', '') }),
    await calls.onboard({ npn, onboardType: 'subscribe', ssn }),
    await calls.onboard({ npn: '1', ...member, ssn }),
    await calls.onboard({ npn, ...member, ssn: `${ssn}0` }),
    await calls.onboard({ npn: ssn, ...member, ssn }),
    await calls.onboard({ npn, ...member, [ssn]: ssn }),
    await calls.onboard({ npn, ...member, email: ssn, phone: ssn, ssn }),
    await calls.onboard({ npn, onboardType: 'lookup' }),
    await calls.subscribe([npn]),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 400, 400, 400, 400, 400, 200, 200],
  );
  const places = { answers: answers.map((answer) => JSON.stringify(answer)), log: bridge.logged };
  for (const [place, lines] of Object.entries({ ...places, database: await readWholeDatabase(bridge) })) {
    assert.notEqual(lines.length, 0);
    for (const line of lines) assert.doesNotMatch(line, /900-?55-?7319/, place);
  }
});

test('An onboardType that the operator removed from the agency is 403 from then on.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const npn = await setup();
  assertFailed(await calls.onboard({ npn, ...member }, tokens.test), 40302, /^onboardType: expected /);
  await allow(agencyId, ['team']);
  assert.equal((await calls.onboard({ npn, ...member }, tokens.test)).status, 200);
  await allow(agencyId, []);
  const before = await written();
  for (const request of [{ onboardType: 'lookup' }, { onboardType: 'subscribe' }, member]) {
    // The response does not reveal whether the NPN exists.
    for (const asked of [npn, '1']) {
      assertFailed(await calls.onboard({ npn: asked, ...request }, tokens.test), 40302, /^onboardType: expected /);
    }
  }
  assert.deepEqual(await written(), before);
});

test('An NPN that the registry does not have is 400, and nothing is written.', async () => {
  const before = await written();
  for (const request of [{ onboardType: 'lookup' }, { onboardType: 'subscribe' }, member]) {
    assertFailed(await calls.onboard({ npn: '1', ...request }), 40009, /^npn: expected /);
  }
  assert.deepEqual(await written(), before);
});

const wrong: [body: object, code: number, details: RegExp][] = [
  [{ npn: '5', onboardType: 'delete' }, 40001, /onboardType: expected one of lookup, subscribe, team/],
  [{ onboardType: 'lookup' }, 40001, /^npn: expected /],
  [{ npn: '0', onboardType: 'lookup' }, 40001, /^npn: expected /],
  [{ npn: '5', onboardType: 'subscribe', email: 'agency' }, 40004, /^email: expected no such key/],
  [{ npn: '5', onboardType: 'team' }, 40001, /paymentResponsibility.*email.*firstName, lastName/],
  [
    { npn: '5', ...member, paymentResponsibility: 'nobody' },
    40001,
    /^paymentResponsibility: expected agency or producer/,
  ],
  [{ npn: '5', ...member, email: 'x' }, 40001, /^email: expected /],
  [{ npn: '5', ...member, firstName: ' ' }, 40001, /^firstName: expected /],
  [{ npn: '5', ...member, lastName: 'a\u0000b' }, 40001, /^lastName: expected /],
  [{ npn: '5', ...member, phone: 'call me' }, 40001, /^phone: expected /],
  [{ npn: '5', ...member, gender: '' }, 40001, /^gender: expected /],
  [{ npn: '5', ...member, ssn: '1' }, 40001, /^ssn: expected /],
];
for (const [body, code, details] of wrong) {
  test(`${JSON.stringify(body).slice(0, 150)} is 400 and the details name the field.`, async () => {
    assertFailed(await calls.onboard(body), code, details);
  });
}
