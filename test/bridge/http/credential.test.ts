import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import { sql } from 'kysely';
import type { CredentialReset } from '../../../src/contract/index.js';
import { activateAgency, createAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { resetCredential } from '../../../src/bridge/domain/accounts/credential.js';
import { identifyCaller, login as logInAt } from '../../../src/bridge/domain/accounts/login.js';
import { hashToken, newestIds } from '../../../src/bridge/domain/keys/keys.js';
import { findOldSecrets } from '../../../src/bridge/store/keys/key-store.js';
import {
  findTokenHolder,
  insertToken,
  replaceSecretHash,
  replaceSecrets,
} from '../../../src/bridge/store/accounts/credential-store.js';
import { startBridge, type CallAnswer, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
let agency: Awaited<ReturnType<TestBridge['addAgency']>>;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_TRUSTED_PROXIES: '1' } });
});
after(() => bridge.stop());
beforeEach(async () => {
  agency = await bridge.addAgency();
});

const path = (agencyId: string) => `/v1/account/account-credential?agencyId=${encodeURIComponent(agencyId)}`;
const issue = (agencyId: string, token: string | null = null) => bridge.call('POST', path(agencyId), { token });
const reset = (token: string) => bridge.call('PATCH', '/v1/account/reset-credential', { token });
const secretsOf = (answer: CallAnswer) => answer.body as unknown as CredentialReset;
let lastAddress = 0;
/** Each from a new IP address, because failures are limited by IP address. */
const login = (clientId: string, clientSecret: string) =>
  bridge.call('POST', '/v1/auth/login', {
    token: null,
    body: { clientId, clientSecret },
    headers: { 'x-forwarded-for': `10.0.0.${(lastAddress += 1)}` },
  });
const isAccepted = async (token: string) =>
  (await bridge.call('GET', '/v1/applications/app_x', { token })).status === 404;
const rowOf = (id: string) =>
  bridge.context.db.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('The first call needs only the agency id and returns both secrets.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'First Agency');
  const { status, body } = await issue(agencyId);
  assert.equal(status, 200);
  const { clientId, createdAt, id, liveClientSecret, testClientSecret, updatedAt, ...rest } = body;
  assert.deepEqual(rest, { agencyId, agencyName: 'First Agency', deactivatedAt: '', isActive: true });
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(updatedAt, createdAt);
  assert.match(id, /^crd_/);
  for (const secret of [liveClientSecret, testClientSecret]) {
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal((await login(clientId, secret)).status, 200);
  }
});

test('Of many concurrent first calls, one gets the credential.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'Raced Agency');
  const answers = await Promise.all(Array.from({ length: 4 }, () => issue(agencyId)));
  assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 200 : body.code)).sort(), [
    200,
    ...Array<number>(3).fill(40103),
  ]);
});

test("The agency's own live token replaces the credential: old secrets and old tokens end at once.", async () => {
  const { agencyId, credential, tokens } = agency;
  const { status, body } = await issue(agencyId, tokens.live);
  assert.equal(status, 200);
  assert.notEqual(body.clientId, credential.clientId);
  assert.deepEqual([await isAccepted(tokens.live), await isAccepted(tokens.test)], [false, false]);
  assert.equal((await login(credential.clientId, credential.testClientSecret)).status, 401);
  assert.equal((await login(body.clientId, body.testClientSecret)).status, 200);
  const { isActive, deactivatedAt } = await rowOf(credential.id);
  assert.deepEqual([isActive, deactivatedAt instanceof Date], [false, true]);
  assert.equal((await rowOf(bridge.credential.id)).isActive, true);
  assert.ok(await isAccepted(bridge.tokens.test));
});

test('A used agency id without a token, even of an ended credential, is 401.', async () => {
  assert.equal((await issue(agency.agencyId)).body.code, 40103);
  const { db } = bridge.context;
  await db.updateTable('credential').set({ isActive: false }).where('id', '=', agency.credential.id).execute();
  assert.equal((await issue(agency.agencyId)).body.code, 40103);
});

test('A missing, malformed, unknown or deactivated agency id is 400.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'Closed Agency');
  await deactivateAgency(bridge.context, agencyId);
  for (const id of ['', 'x', 'agc_', 'agc_unknown', "agc_' or 1=1", agencyId]) {
    assert.equal((await issue(id)).body.code, 40007, id);
  }
  assert.equal((await bridge.call('POST', '/v1/account/account-credential', { token: null })).body.code, 40007);
});

test('After a reset both secrets are new and have their modes, and the old secrets and every token end at once.', async () => {
  const { credential, tokens } = agency;
  const { clientId, id } = credential;
  const before = await rowOf(id);
  const answer = await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.live, body: { id: 'x' } });
  const { liveClientSecret, testClientSecret, userId, ...rest } = secretsOf(answer);
  assert.deepEqual([answer.status, userId, rest], [200, id, {}]);
  const secrets = [liveClientSecret, testClientSecret, credential.liveClientSecret, credential.testClientSecret];
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/);
  assert.equal(new Set(secrets).size, 4);
  const row = await rowOf(id);
  assert.deepEqual(
    [row.isActive, row.deactivatedAt, row.clientId, row.updatedAt > before.updatedAt],
    [true, null, clientId, true],
  );
  const seen = [...bridge.logged, JSON.stringify(row), row.liveSecretHash.toString(), row.testSecretHash.toString()];
  for (const secret of secrets) assert.ok(!seen.join('').includes(secret));

  for (const token of [tokens.live, tokens.test]) assert.equal(await isAccepted(token), false);
  assert.equal((await reset(tokens.live)).body.code, 40101);
  for (const ended of secrets.slice(2)) assert.equal((await login(clientId, ended)).body.code, 40102);
  const [live, testMode] = [await login(clientId, liveClientSecret), await login(clientId, testClientSecret)];
  assert.equal((await reset(testMode.body.accessToken)).status, 401);
  assert.equal((await reset(live.body.accessToken)).status, 200);
  assert.ok(await isAccepted(bridge.tokens.live), 'another agency');
});

test('Of concurrent resets and replacements with one token, one wins, and its secrets work.', async () => {
  const { agencyId, credential, tokens } = agency;
  const calls = [0, 1].flatMap(() => [reset(tokens.live), issue(agencyId, tokens.live)]);
  const answers = await Promise.all(calls);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  const winner = answers.find(({ status }) => status === 200) ?? assert.fail();
  // A reset keeps the client id and returns none.
  const { clientId } = { ...credential, ...winner.body };
  assert.equal((await login(clientId, winner.body.liveClientSecret)).status, 200);
});

describe('a caller who was overtaken', () => {
  /** The agency's credential and a login that has compared its secret. */
  async function setup() {
    const { db } = bridge.context;
    const credential = await rowOf(agency.credential.id);
    const now = new Date();
    let tokens = 0;
    return {
      db,
      credential,
      now,
      caller: (await identifyCaller(bridge.context, agency.tokens.live, 'test')) ?? assert.fail(),
      insert: () =>
        db.transaction().execute((trx) => {
          const tokenHash = hashToken(`${credential.id} ${(tokens += 1)}`);
          return insertToken(trx, { tokenHash, credential, mode: 'test', now, expiresAt: now });
        }),
      replace: (hash: Buffer) =>
        db.transaction().execute((trx) => {
          const hashes = { liveSecretHash: hash, testSecretHash: hash };
          return replaceSecrets(trx, credential.id, hashes, now);
        }),
    };
  }

  it('A login gets no token when its credential was replaced or reset meanwhile.', async () => {
    const { insert, replace, db, credential } = await setup();
    assert.equal(await insert(), true);
    await replace(Buffer.alloc(38, 1));
    assert.equal(await insert(), false);
    await db
      .updateTable('credential')
      .set({ secretsSerial: credential.secretsSerial, isActive: false })
      .where('id', '=', credential.id)
      .execute();
    assert.equal(await insert(), false);
  });

  it('A login waits for a reset that has begun, and then gets no token.', async () => {
    const { insert, db, credential } = await setup();
    let inserting: Promise<boolean> | undefined;
    await db.transaction().execute(async (trx) => {
      const hashes = { liveSecretHash: Buffer.alloc(38, 1), testSecretHash: Buffer.alloc(38, 1) };
      await replaceSecrets(trx, credential.id, hashes, new Date());
      const end = new AbortController();
      inserting = insert().finally(() => end.abort());
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      while (!end.signal.aborted && (await waiting.execute(trx)).rows.length === 0);
    });
    assert.equal(await inserting, false);
  });

  it('The hash of a secret is not renewed when the secret was replaced meanwhile, and never that of the other mode.', async () => {
    const { replace, db, credential } = await setup();
    const [renewed, fresh] = [Buffer.alloc(38, 2), Buffer.alloc(38, 3)];
    const renew = () =>
      db
        .transaction()
        .execute((trx) => replaceSecretHash(trx, credential.id, 'liveSecretHash', credential.liveSecretHash, renewed));
    await renew();
    const row = await rowOf(credential.id);
    assert.deepEqual([row.liveSecretHash, row.testSecretHash], [renewed, credential.testSecretHash]);
    await replace(fresh);
    await renew();
    assert.deepEqual((await rowOf(credential.id)).liveSecretHash, fresh);
  });

  it('A reset is refused when its token has ended or its agency was deactivated after the token was checked.', async () => {
    const { caller, db } = await setup();
    await deactivateAgency(bridge.context, agency.agencyId);
    await assert.rejects(resetCredential(bridge.context, caller), { failure: 'agency_deactivated_token' });
    await activateAgency(bridge.context, agency.agencyId);
    await assert.rejects(resetCredential(bridge.context, { ...caller, mode: 'test' }), { failure: 'invalid_token' });
    await db.deleteFrom('accessToken').where('tokenHash', '=', caller.tokenHash).execute();
    await assert.rejects(resetCredential(bridge.context, caller), { failure: 'invalid_token' });
  });

  it('A token is valid until its last millisecond, and not at its end.', async () => {
    const { caller, db } = await setup();
    const { expiresAt: end } = await db
      .selectFrom('accessToken')
      .select('expiresAt')
      .where('tokenHash', '=', caller.tokenHash)
      .executeTakeFirstOrThrow();
    const holderAt = async (ms: number) =>
      (await findTokenHolder(db, caller.tokenHash, new Date(end.getTime() + ms)))?.mode;
    assert.deepEqual([await holderAt(-1), await holderAt(0)], ['live', undefined]);
  });

  it('Secrets of an old key are counted while they can log in, and each login renews its own.', async () => {
    const { db, credential } = await setup();
    const { keys } = bridge.context;
    const count = async () =>
      (await findOldSecrets(db, newestIds(keys))).reduce((sum, { count: ofAgency }) => sum + ofAgency, 0);
    const before = await count();
    const old = { liveSecretHash: Buffer.alloc(38, 4), testSecretHash: Buffer.alloc(38, 4) };
    const set = (change: object) => db.updateTable('credential').set(change).where('id', '=', credential.id).execute();
    await set(old);
    assert.equal(await count(), before + 2);
    await set({ liveSecretHash: credential.liveSecretHash });
    assert.equal(await count(), before + 1);
    await deactivateAgency(bridge.context, agency.agencyId);
    assert.equal(await count(), before);
    await activateAgency(bridge.context, agency.agencyId);
    await set({ isActive: false });
    assert.equal(await count(), before);
    await assert.rejects(
      logInAt(bridge.context, { clientId: credential.clientId, clientSecret: agency.credential.liveClientSecret }, 'a'),
      { failure: 'invalid_client' },
    );
  });
});
