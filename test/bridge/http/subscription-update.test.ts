import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleLicense, sampleProducer } from '../../support/producers.js';
import { assertFailed, producerCalls, type ProducerCalls } from './support/producer-calls.js';

let bridge: TestBridge;
let calls: ProducerCalls;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  calls = producerCalls(bridge);
});
after(() => bridge.stop());

let lastNpn = 810_000_000;
const created = '2026-01-10T08:00:00.000Z';

/** A subscribed producer and the states of its licenses after each update. */
async function setup(updates: [at: string, state: string][]): Promise<string> {
  const npn = String((lastNpn += 1));
  await addProducers(bridge.context, 'test', [sampleProducer(npn)], new Date(created));
  for (const [at, state] of updates) await change(npn, at, state);
  await calls.subscribe([npn]);
  return npn;
}

async function change(npn: string, at: string, state: string): Promise<void> {
  const licenseInformation = [{ state, licenses: [sampleLicense(`${state}1`)], appointments: [] }];
  const outcomes = await addProducers(bridge.context, 'test', [{ npn, licenseInformation }], new Date(at));
  assert.deepEqual(outcomes, ['updated']);
}

/** The time of the update of a day, and the states of the licenses as of then. */
async function updateOn(npn: string, reportDate: string) {
  const { body } = await calls.update({ npn, reportDate });
  return [body.updatedAt, ...body.producer.licenseInformation.map(({ state }) => state)];
}

test('The newest update up to and including the day is returned, with the producer as of then.', async () => {
  const npn = await setup([
    ['2026-02-01T12:00:00.000Z', 'NY'],
    ['2026-02-27T04:00:00.000Z', 'NV'],
    ['2026-03-05T12:00:00.000Z', 'OH'],
  ]);
  const { status, body } = await calls.update({ npn, reportDate: '2026-03-01' });
  assert.equal(status, 200);
  const updatedAt = '2026-02-27T04:00:00.000Z';
  const { producer, ...rest } = body;
  assert.deepEqual(rest, { npn, reportDate: '2026-03-01', updatedAt, changes: ['licenseInformation'] });
  const { npn: _, licenseInformation: __, ...sample } = sampleProducer(npn);
  const { id, licenseInformation, ...known } = producer;
  assert.match(id, /./);
  assert.deepEqual(known, { ...sample, createdAt: created, updatedAt });
  assert.deepEqual(
    licenseInformation.map(({ state }) => state),
    ['NV'],
  );
  assert.deepEqual(await updateOn(npn, '2026-02-01'), ['2026-02-01T12:00:00.000Z', 'NY']);
  assert.deepEqual(await updateOn(npn, '2027-01-01'), ['2026-03-05T12:00:00.000Z', 'OH']);
});

test('A day ends at midnight UTC.', async () => {
  const npn = await setup([
    ['2026-02-27T00:00:00.000Z', 'NY'],
    ['2026-02-27T23:59:59.999Z', 'NV'],
    ['2026-02-28T00:00:00.000Z', 'OH'],
  ]);
  assertFailed(await calls.update({ npn, reportDate: '2026-02-26' }), 40012, /^reportDate: expected /);
  assert.deepEqual(await updateOn(npn, '2026-02-27'), ['2026-02-27T23:59:59.999Z', 'NV']);
  assert.deepEqual(await updateOn(npn, '2026-02-28'), ['2026-02-28T00:00:00.000Z', 'OH']);
});

test('A producer without an update by that day is 400; an entry in the registry is no update.', async () => {
  const npn = await setup([]);
  assertFailed(await calls.update({ npn, reportDate: '2027-01-01' }), 40012, /^reportDate: expected /);
});

test('The NPN is returned in canonical form, and the day as it was sent.', async () => {
  const npn = await setup([['2026-02-27T04:00:00.000Z', 'NV']]);
  for (const sent of [Number(npn), `0${npn}`]) {
    const { body } = await calls.update({ npn: sent, reportDate: '2026-02-28' });
    assert.deepEqual([body.npn, body.reportDate], [npn, '2026-02-28']);
  }
});

test('The first and the last day of the calendar are accepted.', async () => {
  const npn = await setup([['2026-02-27T04:00:00.000Z', 'NV']]);
  for (const day of ['0000-01-01', '0001-01-01', '1969-12-31', '2024-02-29']) {
    assertFailed(await calls.update({ npn, reportDate: day }), 40012, /^reportDate: expected /);
  }
  assert.deepEqual(await updateOn(npn, '9999-12-31'), ['2026-02-27T04:00:00.000Z', 'NV']);
});

test('An NPN without a subscription is 400, known or unknown, onboarded or not.', async () => {
  const npn = await setup([['2026-02-27T04:00:00.000Z', 'NV']]);
  const request = { npn, reportDate: '2026-03-01' };
  assert.equal((await calls.update(request)).status, 200);
  await calls.unsubscribe([npn]);
  assertFailed(await calls.update(request), 40011, /^npn: expected /);
  assertFailed(await calls.update({ ...request, npn: '1' }), 40011, /^npn: expected /);
  await calls.onboard({ npn, onboardType: 'subscribe' });
  assert.equal((await calls.update(request)).status, 200);
});

test('Subscriptions of another agency or mode, and updates of the other mode, do not count.', async () => {
  const npn = await setup([['2026-02-27T04:00:00.000Z', 'NV']]);
  const other = await bridge.addAgency();
  const request = { npn, reportDate: '2026-03-01' };
  assertFailed(await calls.update(request, other.tokens.test), 40011, /^npn/);
  assertFailed(await calls.update(request, bridge.tokens.live), 40011, /^npn/);
  await addProducers(bridge.context, 'live', [sampleProducer(npn)]);
  await calls.subscribe([npn], bridge.tokens.live);
  assertFailed(await calls.update(request, bridge.tokens.live), 40012, /^reportDate/);
});

const wrong: [body: object, field: string][] = [
  [{}, 'npn'],
  [{ npn: '5' }, 'reportDate'],
  [{ reportDate: '2026-03-01' }, 'npn'],
  ...[
    '',
    '2026-3-1',
    '03/01/2026',
    '2026-02-30',
    '2025-02-29',
    '2026-03-01T00:00:00Z',
    ' 2026-03-01',
    20_260_301,
    null,
  ].map((reportDate): [object, string] => [{ npn: '5', reportDate }, 'reportDate']),
  [{ npn: '', reportDate: '2026-03-01' }, 'npn'],
  [{ npn: '5', reportDate: '2026-03-01', day: 1 }, 'day'],
];
for (const [body, field] of wrong) {
  test(`${JSON.stringify(body)} is 400 and the details name ${field}.`, async () => {
    assertFailed(await calls.update(body), field === 'day' ? 40004 : 40001, new RegExp(`^${field}: expected `));
  });
}
