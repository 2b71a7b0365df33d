import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { sql } from 'kysely';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
before(async () => {
  // The limiter reads the clock of the process.
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  bridge = await startBridge({
    environment: { BRIDGE_TRUSTED_PROXIES: '1' },
  });
});
after(async () => {
  mock.timers.reset();
  await bridge.stop();
});

let lastAddress = 0;
/** A login from a new IP address, unless one is given. */
function login(body: object, address = `10.0.${lastAddress >> 8}.${lastAddress++ & 255}`) {
  return bridge.call('POST', '/v1/auth/login', {
    token: null,
    body,
    headers: { 'x-forwarded-for': `8.8.8.8, ${address}` },
  });
}

test('Each secret returns a token of its mode, and the response has no other key.', async () => {
  const { clientId, liveClientSecret, testClientSecret } = bridge.credential;
  for (const clientSecret of [liveClientSecret, testClientSecret]) {
    const { status, body, headers } = await login({ clientId, clientSecret });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body as object), ['accessToken']);
    assert.match(body.accessToken, /^[\w-]{43}$/);
    assert.equal(headers.get('cache-control'), 'no-store');
    const helper = '/v1/test_helpers/applications/app_x/states/TX';
    const tried = await bridge.call('POST', helper, { token: body.accessToken, body: { status: 'approved' } });
    assert.equal(tried.body.code, clientSecret === testClientSecret ? 40402 : 40401);
  }
});

test('An unknown id and a wrong secret get the same response.', async () => {
  const { clientId, liveClientSecret } = bridge.credential;
  const wrongSecret = await login({ clientId, clientSecret: 'wrong' });
  const wrongId = await login({ clientId: 'cli_unknown', clientSecret: liveClientSecret });
  assert.equal(wrongSecret.status, 401);
  assert.deepEqual(wrongSecret.body, wrongId.body);
  assert.deepEqual([...wrongSecret.headers.keys()], [...wrongId.headers.keys()]);
});

test('A deactivated agency gets no token until it is activated again.', async () => {
  const { clientId, liveClientSecret } = bridge.credential;
  const tried = async () => (await login({ clientId, clientSecret: liveClientSecret })).status;
  await deactivateAgency(bridge.context, bridge.agencyId);
  assert.equal(await tried(), 401);
  await activateAgency(bridge.context, bridge.agencyId);
  assert.equal(await tried(), 200);
});

test('Only the hash of a token is stored, and no secret.', async () => {
  const { clientId, testClientSecret } = bridge.credential;
  const { body } = await login({ clientId, clientSecret: testClientSecret });
  const rows = await bridge.context.db.selectFrom('accessToken').selectAll().execute();
  const credentials = await bridge.context.db.selectFrom('credential').selectAll().execute();
  const stored = JSON.stringify([rows, credentials]) + rows.map((row) => row.tokenHash.toString('utf8')).join();
  assert.ok(rows.length > 0);
  for (const secret of [body.accessToken, testClientSecret]) assert.ok(!stored.includes(secret));
});

test('A client is not locked out by any number of failures from other IP addresses.', async () => {
  const { clientId, testClientSecret } = (await bridge.addAgency()).credential;
  const tries = await Promise.all(Array.from({ length: 15 }, () => login({ clientId, clientSecret: 'wrong' })));
  assert.deepEqual([...new Set(tries.map(({ status }) => status))], [401]);
  assert.equal((await login({ clientId, clientSecret: testClientSecret })).status, 200);
});

test('Ten failures from one IP address are 429 with Retry-After for a minute, even with the right secret.', async () => {
  const { clientId, testClientSecret } = (await bridge.addAgency()).credential;
  const address = '203.0.113.10';
  const tries = await Promise.all(
    Array.from({ length: 15 }, () => login({ clientId, clientSecret: 'wrong' }, address)),
  );
  assert.deepEqual(tries.map(({ status }) => status).sort(), [
    ...Array<number>(10).fill(401),
    ...Array<number>(5).fill(429),
  ]);
  const right = await login({ clientId, clientSecret: testClientSecret }, address);
  assert.equal(right.body.code, 42902);
  assert.equal(right.headers.get('retry-after'), '60');
  const other = { clientId: bridge.credential.clientId, clientSecret: bridge.credential.testClientSecret };
  assert.equal((await login(other, address)).status, 429, 'another client there');
  mock.timers.tick(30_000);
  assert.equal((await login({ clientId, clientSecret: testClientSecret }, address)).headers.get('retry-after'), '30');
  mock.timers.tick(30_000);
  assert.equal((await login({ clientId, clientSecret: testClientSecret }, address)).status, 200);
});

test('Logins of one client that wait for each other hold up no other login.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { clientId, testClientSecret } = credential;
  const address = '203.0.113.77';
  assert.equal((await login({ clientId, clientSecret: testClientSecret }, address)).status, 200);
  // Before the locks, so that a lease of requests lasts longer than them.
  const read = () => bridge.call('GET', '/v1/applications/app_x', { token: tokens.test });
  assert.equal((await read()).status, 404);
  // Like an instance that is counting a login of this IP address.
  const other = openDatabase(bridge.databaseUrl);
  try {
    const logins = await other.transaction().execute(async (trx) => {
      await sql`select from rate_limit for update`.execute(trx);
      const waiting = Array.from({ length: 30 }, () => login({ clientId, clientSecret: testClientSecret }, address));
      for (let count = 0; count < 10; count += 1) assert.equal((await read()).status, 404);
      return waiting;
    });
    assert.ok((await Promise.all(logins)).every(({ status }) => status === 200));
  } finally {
    await other.destroy();
  }
});

test('Thirty concurrent valid logins from one IP address succeed, because only failures count.', async () => {
  const { clientId, testClientSecret } = (await bridge.addAgency()).credential;
  const tries = Array.from({ length: 30 }, () => login({ clientId, clientSecret: testClientSecret }, '203.0.113.78'));
  assert.ok((await Promise.all(tries)).every(({ status }) => status === 200));
});
