import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleLicense, sampleProducer } from '../../support/producers.js';
import { addManyProducers, assertFailed, producerCalls, type ProducerCalls } from './support/producer-calls.js';

let now = Date.parse('2026-03-02T09:40:00Z');
let bridge: TestBridge;
let calls: ProducerCalls;
/** Known in both modes. */
let npns: string[];
before(async () => {
  bridge = await startBridge({
    clock: () => new Date(now),
    environment: { BRIDGE_RATE_LIMIT: '100000', BRIDGE_TOKEN_TTL: '86400' },
  });
  calls = producerCalls(bridge);
  npns = await addManyProducers(bridge, 10_000);
});
after(() => bridge.stop());

/** An agency without subscriptions. */
const setup = async () => (await bridge.addAgency()).tokens;
const addedAt = '2026-03-02T09:40:00.000Z';

test('Subscribing returns each NPN with the date it was added, in the order of the request.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const asked = [npns[3], npns[1], npns[2]];
  const { status, body } = await calls.subscribe(asked, tokens.test);
  assert.equal(status, 200);
  assert.deepEqual(body, { agencyId, npns: asked.map((npn) => ({ npn, addedAt })) });
});

test('Numbers, leading zeros and duplicates are the same NPN.', async () => {
  const { test: token } = await setup();
  const npn = npns[0] ?? '';
  const { body } = await calls.subscribe([Number(npn), `0${npn}`.slice(-10), npn, npn], token);
  assert.deepEqual(body.npns, [{ npn, addedAt }]);
});

test('A subscribed NPN keeps its first date until it is removed.', async (t) => {
  const { test: token } = await setup();
  await calls.subscribe(npns.slice(0, 2), token);
  t.after(() => (now = Date.parse(addedAt)));
  now += 60_000;
  const later = new Date(now).toISOString();
  const again = await calls.subscribe(npns.slice(1, 3), token);
  assert.deepEqual(again.body.npns, [
    { npn: npns[1], addedAt },
    { npn: npns[2], addedAt: later },
  ]);
  const removed = await calls.unsubscribe([npns[2], npns[5], npns[1]], token);
  assert.deepEqual(removed.body.npns, [
    { npn: npns[2], addedAt: later },
    { npn: npns[1], addedAt },
  ]);
  const anew = await calls.subscribe([npns[1]], token);
  assert.deepEqual(anew.body.npns, [{ npn: npns[1], addedAt: later }]);
});

test('Unknown NPNs are named by their index, and nothing is subscribed.', async () => {
  const { test: token } = await setup();
  // A duplicate precedes them, because the index is that of the request.
  const asked = [npns[0], npns[0], '1', npns[1], '2'];
  assertFailed(await calls.subscribe(asked, token), 40009, /^npns\.2, npns\.4: expected /);
  const unknown = Array.from({ length: 11 }, (_, index) => String(index + 1));
  assertFailed(await calls.subscribe(unknown, token), 40009, /^npns\.0, .*npns\.9: expected /);
  assert.deepEqual((await calls.unsubscribe(npns, token)).body.npns, []);
});

const wrong: [what: string, npns: unknown, details: RegExp][] = [
  ['no NPNs', undefined, /^npns: expected 1 to 10000 NPNs$/],
  ['an empty list', [], /^npns: expected 1 to 10000 NPNs$/],
  ['one NPN too many', Array.from({ length: 10_001 }, () => 5), /^npns: expected 1 to 10000 NPNs$/],
  ['one NPN alone', '5', /^npns: expected 1 to 10000 NPNs$/],
  [
    'malformed NPNs',
    ['5', 'x', 0, '00', 1.5, '12345678901', null, ' 5'],
    /^npns\.1, npns\.2, .*npns\.7: expected 1 to/,
  ],
];
for (const [what, sent, details] of wrong) {
  test(`${what} is 400, to subscribe and to unsubscribe.`, async () => {
    assertFailed(await calls.subscribe(sent), 40001, details);
    assertFailed(await calls.unsubscribe(sent), 40001, details);
  });
}

test('10,000 NPNs fit into a body in every format.', async () => {
  const { test: token } = await setup();
  const body = JSON.stringify({ npns: npns.map((npn) => npn.padStart(10, '0')) }, null, 4);
  const answer = await bridge.call('POST', '/v1/subscribe', { body, token });
  assert.equal(answer.status, 200);
  const removed = await bridge.call('DELETE', '/v1/unsubscribe', { body, token });
  assert.equal(removed.status, 200);
  assert.deepEqual(removed.body, answer.body);
});

let lastNpn = 810_000_000;
const created = '2026-01-10T08:00:00.000Z';

/** A subscribed producer and the states of its licenses after each update. */
async function setupUpdates(updates: [at: string, state: string][]): Promise<string> {
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
  const npn = await setupUpdates([
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
  const npn = await setupUpdates([
    ['2026-02-27T00:00:00.000Z', 'NY'],
    ['2026-02-27T23:59:59.999Z', 'NV'],
    ['2026-02-28T00:00:00.000Z', 'OH'],
  ]);
  assertFailed(await calls.update({ npn, reportDate: '2026-02-26' }), 40012, /^reportDate: expected /);
  assert.deepEqual(await updateOn(npn, '2026-02-27'), ['2026-02-27T23:59:59.999Z', 'NV']);
  assert.deepEqual(await updateOn(npn, '2026-02-28'), ['2026-02-28T00:00:00.000Z', 'OH']);
});

test('A producer without an update by that day is 400; an entry in the registry is no update.', async () => {
  const npn = await setupUpdates([]);
  assertFailed(await calls.update({ npn, reportDate: '2027-01-01' }), 40012, /^reportDate: expected /);
});

test('An NPN without a subscription is 400, known or unknown, onboarded or not.', async () => {
  const npn = await setupUpdates([['2026-02-27T04:00:00.000Z', 'NV']]);
  const request = { npn, reportDate: '2026-03-01' };
  assert.equal((await calls.update(request)).status, 200);
  await calls.unsubscribe([npn]);
  assertFailed(await calls.update(request), 40011, /^npn: expected /);
  assertFailed(await calls.update({ ...request, npn: '1' }), 40011, /^npn: expected /);
  await calls.onboard({ npn, onboardType: 'subscribe' });
  assert.equal((await calls.update(request)).status, 200);
});

const wrongUpdates: [body: object, field: string][] = [
  ...['', '2026-3-1', '2026-02-30', '2026-03-01T00:00:00Z', ' 2026-03-01', null].map((reportDate): [object, string] => [
    { npn: '5', reportDate },
    'reportDate',
  ]),
  [{ npn: '', reportDate: '2026-03-01' }, 'npn'],
];
for (const [body, field] of wrongUpdates) {
  test(`${JSON.stringify(body)} is 400 and the details name ${field}.`, async () => {
    assertFailed(await calls.update(body), 40001, new RegExp(`^${field}: expected `));
  });
}
