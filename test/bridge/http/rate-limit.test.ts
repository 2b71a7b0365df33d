import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mock, test, type TestContext } from 'node:test';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { cleanUp } from '../../../src/bridge/domain/retention.js';
import { createLogger, readEnvironment, startBridge as startSecond } from '../../../src/bridge/index.js';
import { startBridge, type TestBridgeOptions } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { assertFailure } from './support/assert-failure.js';

/** A bridge whose clock, and that of the limiter, moves by `mock.timers.tick` only. */
async function setup(t: TestContext, options: TestBridgeOptions = {}) {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const bridge = await startBridge(options);
  t.after(async () => {
    mock.timers.reset();
    await bridge.stop();
  });
  const read = (token = bridge.tokens.test) => bridge.call('GET', '/v1/applications/app_x', { token });
  return { bridge, read };
}

test('All tokens of a credential share its requests per minute; another agency has a separate limit.', async (t) => {
  const { bridge, read } = await setup(t, { environment: { BRIDGE_RATE_LIMIT: '5' } });
  const { clientId, testClientSecret: clientSecret } = bridge.credential;
  const newToken = async () => (await login(bridge.context, { clientId, clientSecret }, 'test')).accessToken;
  const other = await bridge.addAgency();
  const { test: first, live } = bridge.tokens;
  for (const token of [first, first, live, await newToken(), await newToken()]) {
    assert.equal((await read(token)).status, 404);
  }
  mock.timers.tick(20_000);
  for (const token of [first, live, await newToken()]) {
    const refused = await read(token);
    const { details } = assertFailure(refused, 'too_many_requests');
    assert.equal(details, 'limit: expected at most 5 requests a minute by one credential');
    assert.equal(refused.headers.get('retry-after'), '40');
  }
  assert.equal((await read(other.tokens.test)).status, 404);
  mock.timers.tick(40_000);
  assert.equal((await read()).status, 404);
});

test('A limit that is counted in leases admits exactly its number of requests, even if all are concurrent.', async (t) => {
  const { read } = await setup(t, { environment: { BRIDGE_RATE_LIMIT: '199' } });
  const answers = await Promise.all(Array.from({ length: 250 }, () => read()));
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 51);
});

test('Two instances together admit no more requests than one.', async (t) => {
  const environment = { BRIDGE_RATE_LIMIT: '100', BRIDGE_SECRET_KEY: randomBytes(32).toString('base64') };
  const { bridge } = await setup(t, { environment });
  const ports = { BRIDGE_PORT: '0', APPLY_PORT: '0', DATABASE_URL: bridge.databaseUrl };
  const other = await startSecond(readEnvironment({ ...environment, ...ports }), {
    log: createLogger('silent'),
    assets: { href: (name) => name, at: () => undefined },
  });
  t.after(() => other.stop());
  const headers = { authorization: `Bearer ${bridge.tokens.test}` };
  const read = async (index: number) => {
    const { bridgeUrl } = index % 2 === 0 ? bridge : other;
    return (await fetch(`${bridgeUrl}/v1/applications/app_x`, { headers })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 150 }, (_, index) => read(index)));
  const through = statuses.filter((status) => status === 404).length;
  // Leased and unused points of an instance are missing: a lease is a fiftieth.
  assert.ok(through <= 100 && through >= 98, String(through));
});

test('The counts of expired limits are deleted.', async (t) => {
  const { bridge, read } = await setup(t);
  const count = async () => (await bridge.context.db.selectFrom('rate_limit').select('key').execute()).length;
  await read();
  const before = await count();
  assert.ok(before > 0);
  await cleanUp(bridge.context);
  assert.equal(await count(), before);
  mock.timers.tick(3 * 60_000);
  await cleanUp(bridge.context);
  assert.equal(await count(), 0);
});

test("A credential may log in sixty times a minute; its requests continue, and so do other agencies' logins.", async (t) => {
  const { bridge, read } = await setup(t);
  const { credential } = await bridge.addAgency();
  const body = { clientId: credential.clientId, clientSecret: credential.testClientSecret };
  const logIn = () => bridge.call('POST', '/v1/auth/login', { token: null, body });
  // addAgency has logged in twice.
  for (let count = 2; count < 60; count += 1) assert.equal((await logIn()).status, 200);
  const refused = await logIn();
  assertFailure(refused, 'too_many_requests');
  assert.equal(refused.headers.get('retry-after'), '60');
  const { clientId, testClientSecret: clientSecret } = bridge.credential;
  const others = await bridge.call('POST', '/v1/auth/login', { token: null, body: { clientId, clientSecret } });
  assert.equal(others.status, 200);
  assert.equal((await read(others.body.accessToken)).status, 404);
  mock.timers.tick(60_000);
  assert.equal((await logIn()).status, 200);
});

test('After twenty misses by SSN in an hour, neither hits nor misses are answered; hits do not count.', async (t) => {
  const { bridge } = await setup(t);
  const sample = sampleProducer('12345', { ssn: '900123456' });
  await addProducers(bridge.context, 'test', [sample]);
  const { lastName } = sample.biographic;
  const lookUp = (ssn: string, token = bridge.tokens.test) =>
    bridge.call('POST', '/v1/account/producer/npn-lookup', { body: { lastName, ssn }, token });
  const hits = await Promise.all(Array.from({ length: 30 }, () => lookUp('900123456')));
  assert.deepEqual([...new Set(hits.map(({ status }) => status))], [200]);

  // Like an attacker with a name and five digits: all guesses at once.
  const tries = Array.from({ length: 100 }, (_, index) => lookUp(`90012${String(index).padStart(4, '0')}`));
  const answers = await Promise.all(tries);
  assert.equal(answers.filter(({ status }) => status === 400).length, 20);
  assert.equal(answers.filter(({ status }) => status === 429).length, 80);
  const refused = await lookUp('900123456');
  assertFailure(refused, 'too_many_requests');
  assert.equal(refused.headers.get('retry-after'), '3600');

  const other = await bridge.addAgency();
  assert.equal((await lookUp('900123456', other.tokens.test)).status, 200);
  mock.timers.tick(3_600_000);
  const { clientId, testClientSecret: clientSecret } = bridge.credential;
  const { accessToken } = await login(bridge.context, { clientId, clientSecret }, 'test');
  assert.equal((await lookUp('900123456', accessToken)).status, 200);
});
