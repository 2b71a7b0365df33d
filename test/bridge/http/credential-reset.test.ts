import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { CredentialReset } from '../../../src/contract/index.js';
import {
  createLogger,
  deactivateAgency,
  readEnvironment,
  startBridge as startSecond,
} from '../../../src/bridge/index.js';
import { startBridge, type CallAnswer, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
const bridgeKey = randomBytes(32).toString('base64');
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: bridgeKey, BRIDGE_TRUSTED_PROXIES: '1' } });
});
after(() => bridge.stop());

const reset = (token: string) => bridge.call('PATCH', '/v1/account/reset-credential', { token });
const secretsOf = (answer: CallAnswer) => answer.body as unknown as CredentialReset;
const replace = (agencyId: string, token: string) =>
  bridge.call('POST', `/v1/account/account-credential?agencyId=${agencyId}`, { token });
let lastAddress = 0;
/** Each from a new IP address, because failures are limited by IP address. */
const login = (clientId: string, clientSecret: string) =>
  bridge.call('POST', '/v1/auth/login', {
    token: null,
    body: { clientId, clientSecret },
    headers: { 'x-forwarded-for': `10.0.0.${String((lastAddress += 1))}` },
  });
const isAccepted = async (token: string, bridgeUrl = bridge.bridgeUrl) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${bridgeUrl}/v1/applications/app_x`, { headers })).status === 404;
};
const rowOf = (id: string) =>
  bridge.context.db.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('After a reset both secrets are new, and the old secrets and every token end at once.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { clientId } = credential;
  const answer = await reset(tokens.live);
  assert.equal(answer.status, 200);
  const { liveClientSecret, testClientSecret, userId, ...rest } = secretsOf(answer);
  assert.deepEqual(rest, {});
  assert.equal(userId, credential.id);
  const secrets = [liveClientSecret, testClientSecret, credential.liveClientSecret, credential.testClientSecret];
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/);
  assert.equal(new Set(secrets).size, 4);

  for (const token of [tokens.live, tokens.test]) assert.equal(await isAccepted(token), false);
  assert.equal((await reset(tokens.live)).body.code, 40101);
  for (const old of [credential.liveClientSecret, credential.testClientSecret]) {
    assert.equal((await login(clientId, old)).body.code, 40102);
  }
  const live = await login(clientId, liveClientSecret);
  assert.equal((await reset(live.body.accessToken)).status, 200);
});

test('The new secrets have the modes of their names.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { liveClientSecret, testClientSecret } = secretsOf(await reset(tokens.live));
  const live = await login(credential.clientId, liveClientSecret);
  const testMode = await login(credential.clientId, testClientSecret);
  assert.equal((await reset(testMode.body.accessToken)).status, 401);
  assert.equal((await reset(live.body.accessToken)).status, 200);
});

test('The credential stays the active one of its agency, and updatedAt changes.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const before = await rowOf(credential.id);
  await reset(tokens.live);
  const after = await rowOf(credential.id);
  assert.ok(after.updated_at > before.updated_at);
  assert.deepEqual(
    [after.is_active, after.deactivated_at, after.client_id, after.created_at],
    [true, null, before.client_id, before.created_at],
  );
});

test('Secrets are neither stored nor logged.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { liveClientSecret, testClientSecret } = secretsOf(await reset(tokens.live));
  const row = await rowOf(credential.id);
  const seen = [
    ...bridge.logged,
    JSON.stringify(row),
    row.live_secret_hash.toString(),
    row.test_secret_hash.toString(),
  ];
  for (const secret of [liveClientSecret, testClientSecret]) assert.ok(!seen.join('').includes(secret));
});

test('A test token is 401 and must not obtain a live secret.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const answer = await reset(tokens.test);
  assert.deepEqual([answer.status, answer.body.code], [401, 40101]);
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  assert.ok(await isAccepted(tokens.test));
  assert.equal((await login(credential.clientId, credential.liveClientSecret)).status, 200);
});

test('Tokens of another agency stay valid.', async () => {
  const [one, other] = [await bridge.addAgency(), await bridge.addAgency()];
  await reset(one.tokens.live);
  assert.ok(await isAccepted(other.tokens.live));
  assert.equal((await login(other.credential.clientId, other.credential.testClientSecret)).status, 200);
});

test('A body is ignored.', async () => {
  const { tokens } = await bridge.addAgency();
  const body = { clientId: 'cli_other' };
  assert.equal((await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.live, body })).status, 200);
});

test('Tokens end on every instance at once.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const other = await startSecond(
    readEnvironment({
      BRIDGE_PORT: '0',
      APPLY_PORT: '0',
      DATABASE_URL: bridge.databaseUrl,
      BRIDGE_SECRET_KEY: bridgeKey,
    }),
    { log: createLogger('silent'), assets: { href: (name) => name, at: () => undefined } },
  );
  try {
    assert.ok(await isAccepted(tokens.test, other.bridgeUrl));
    const { testClientSecret } = secretsOf(await reset(tokens.live));
    assert.equal(await isAccepted(tokens.test, other.bridgeUrl), false);
    const again = await login(credential.clientId, testClientSecret);
    assert.ok(await isAccepted(again.body.accessToken, other.bridgeUrl));
  } finally {
    await other.stop();
  }
});

test('Of many concurrent resets with one token, one wins, and its secrets work.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const answers = await Promise.all(Array.from({ length: 6 }, () => reset(tokens.live)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(5).fill(401)]);
  const winner = answers.find(({ status }) => status === 200);
  assert.ok(winner);
  assert.equal((await login(credential.clientId, secretsOf(winner).testClientSecret)).status, 200);
});

test('Of a concurrent reset and replacement, one wins.', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { agencyId, credential, tokens } = await bridge.addAgency();
    const calls = [() => reset(tokens.live), () => replace(agencyId, tokens.live)];
    if (round % 2 === 1) calls.reverse();
    const answers = await Promise.all(calls.map((call) => call()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    const winner = answers.find(({ status }) => status === 200);
    const clientId = winner?.body.clientId ?? credential.clientId;
    assert.equal((await login(clientId, winner?.body.liveClientSecret ?? '')).status, 200);
    assert.equal((await login(credential.clientId, credential.liveClientSecret)).status, 401);
  }
});

test('No token that a login received during a reset survives it.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const [answer, ...logins] = await Promise.all([
    reset(tokens.live),
    ...Array.from({ length: 8 }, () => login(credential.clientId, credential.testClientSecret)),
  ]);
  assert.equal(answer.status, 200);
  for (const { status, body } of logins) {
    if (status === 200) assert.equal(await isAccepted(body.accessToken), false);
    else assert.equal(status, 401);
  }
});

test('A login whose secret becomes invalid before it ends is 401.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { db } = bridge.context;
  const waiting = async (count: number) => {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      if (rows.length >= count) return;
    }
    assert.fail(`${String(count)} calls should be waiting for the row`);
  };
  // The lock on the row makes both wait: first the reset, then the login, whose secret is already
  // verified.
  const [resetting, loggingIn] = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('credential').select('id').where('id', '=', credential.id).forNoKeyUpdate().execute();
    const first = reset(tokens.live);
    await waiting(1);
    const second = login(credential.clientId, credential.testClientSecret);
    await waiting(2);
    return [[first], [second]] as const;
  });
  assert.equal((await resetting[0]).status, 200);
  assert.equal((await loggingIn[0]).body.code, 40102);
});

test('A deactivated agency gets 401.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  await deactivateAgency(bridge.context, agencyId);
  assert.equal((await reset(tokens.live)).body.code, 40104);
});
