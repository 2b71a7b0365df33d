import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
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

test('Unsubscribing removes existing subscriptions and omits others.', async () => {
  const { test: token } = await setup();
  await calls.subscribe(npns.slice(0, 3), token);
  const { status, body } = await calls.unsubscribe(['1', npns[2], npns[0], npns[0], npns[9]], token);
  assert.equal(status, 200);
  assert.deepEqual(body.npns, [
    { npn: npns[2], addedAt },
    { npn: npns[0], addedAt },
  ]);
  assert.deepEqual((await calls.unsubscribe(npns.slice(0, 3), token)).body.npns, [{ npn: npns[1], addedAt }]);
});

test('Unknown NPNs are named by their index, and nothing is subscribed.', async () => {
  const { test: token } = await setup();
  // A duplicate precedes them, because the index is that of the request.
  const asked = [npns[0], npns[0], '1', npns[1], '2'];
  assertFailed(await calls.subscribe(asked, token), 40009, /^npns\.2, npns\.4: expected /);
  assert.deepEqual((await calls.unsubscribe(npns, token)).body.npns, []);
});

test('Of many unknown NPNs, the first ten are named.', async () => {
  const unknown = Array.from({ length: 9_999 }, (_, index) => String(index + 1));
  const answer = await calls.subscribe([npns[0], ...unknown]);
  const places = Array.from({ length: 10 }, (_, index) => `npns\\.${String(index + 1)}`).join(', ');
  assertFailed(answer, 40009, new RegExp(`^${places}: expected `));
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

test('An unknown key is 400.', async () => {
  for (const [method, path] of [
    ['POST', '/v1/subscribe'],
    ['DELETE', '/v1/unsubscribe'],
  ] as const) {
    const { body } = await bridge.call(method, path, { body: { npns: ['5'], npn: '5' } });
    assert.equal(body.code, 40004);
    assert.match(body.details, /^npn: /);
  }
});

test('An SSN sent as an NPN is not repeated.', async () => {
  const { body } = await calls.subscribe(['900-55-0003', '900550003']);
  assert.doesNotMatch(JSON.stringify(body), /900-?55-?0003/);
  const { body: unknown } = await calls.subscribe(['900550003']);
  assert.equal(unknown.code, 40009);
  assert.doesNotMatch(JSON.stringify(unknown), /900550003/);
});

test('Subscriptions of another agency and of the other mode are separate.', async () => {
  const [mine, other] = [await setup(), await setup()];
  await calls.subscribe(npns.slice(0, 2), mine.test);
  await calls.subscribe(npns.slice(1, 3), mine.live);
  assert.deepEqual((await calls.unsubscribe(npns, other.test)).body.npns, []);
  const ofLive = await calls.unsubscribe(npns, mine.live);
  assert.deepEqual(
    ofLive.body.npns,
    npns.slice(1, 3).map((npn) => ({ npn, addedAt })),
  );
  const ofTest = await calls.unsubscribe(npns, mine.test);
  assert.deepEqual(
    ofTest.body.npns,
    npns.slice(0, 2).map((npn) => ({ npn, addedAt })),
  );
});

test('10,000 NPNs fit into a body in every format.', async () => {
  const { test: token } = await setup();
  const body = JSON.stringify({ npns: npns.map((npn) => npn.padStart(10, '0')) }, null, 4);
  const answer = await bridge.call('POST', '/v1/subscribe', { body, token });
  assert.equal(answer.status, 200);
  const removed = await bridge.call('DELETE', '/v1/unsubscribe', { body, token });
  assert.equal(removed.status, 200);
  assert.deepEqual(removed.body, answer.body);
});
