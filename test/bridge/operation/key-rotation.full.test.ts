import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgencyCredential, NpnLookUp, Session } from '../../../src/contract/index.js';
import { createWebhookSecret } from '../../../src/bridge/domain/accounts/agency.js';
import { createAccountCredential, createAgency, type RunningBridge } from '../../../src/bridge/index.js';
import { createOperator } from '../../../src/bridge/domain/operators/operators.js';
import { sealedPrefix } from '../../../src/bridge/domain/keys/keys.js';
import { sealedColumns } from '../../../src/bridge/domain/keys/re-encrypt.js';
import { findSealedWithOldKey } from '../../../src/bridge/store/accounts/key-store.js';
import { migrate } from '../../../src/bridge/store/migrate.js';
import { undoMigrations } from '../../support/undo-migration.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { newKey, sessionRequest, setUpRotation, type RotatingBridge } from './rotation.js';

const ssn = '900123456';
/** A bridge with one key, and one of everything that is encrypted. */
async function setup(t: TestContext) {
  const rotating = await setUpRotation(t);
  const [keyA, keyB, keyC] = [newKey(), newKey(), newKey()];
  const { context } = await rotating.start(keyA);
  const { agencyId } = await createAgency(context, 'Example Agency', ['lookup', 'subscribe', 'team']);
  const credential = await createAccountCredential(context, agencyId, undefined);
  await createWebhookSecret(context, { agencyId, mode: 'live' });
  const service = serviceOf(rotating, credential);
  await addProducers(context, 'test', [sampleProducer('1001', { ssn }), ...manyProducers()]);
  const token = await service.logIn(credential.testClientSecret);
  const member = { paymentResponsibility: 'agency', email: 'a@example.com', firstName: 'Sample', lastName: 'Member' };
  const onboarded = await rotating.call(
    'POST',
    '/v1/account/producer',
    { npn: '1001', onboardType: 'team', ssn, ...member },
    { token },
  );
  assert.equal(onboarded.status, 200);
  await createOperator(context, { name: 'Sample Operator', role: 'file', hasTotp: true });
  const session = await service.createSession(token, 'key-of-A');
  const visitor = createVisitor();
  await walkTo(visitor, session, 'disclosures');
  await service.upload(session);
  await walkTo(visitor, session, 'receipt', { identity: { ...typed.identity, use: 'keep' } });
  // One request that is answered and one that stays open.
  await service.answer(await service.ask(token, session, 'CA'));
  const actionUrl = await service.ask(token, session, 'TX');
  return { rotating, service, credential, keyA, keyB, keyC, token, session, actionUrl };
}

/** More than one batch of re-encryption. */
function manyProducers() {
  return Array.from({ length: 600 }, (_, index) => {
    const npn = String(2_000 + index);
    return sampleProducer(npn, { ssn: `90020${npn}` });
  });
}

function serviceOf(rotating: RotatingBridge, { clientId }: AgencyCredential) {
  const { call } = rotating;
  const actionUrlOf = async (token: string, { applicationId }: Session, state: string) => {
    const read = await call('GET', `/v1/applications/${applicationId}`, undefined, { token });
    const url = read.body.states.find((each) => each.state === state)?.actionUrl;
    assert.ok(url !== undefined);
    return url;
  };
  return {
    actionUrlOf,
    async logIn(clientSecret: string) {
      const { status, body } = await call('POST', '/v1/auth/login', { clientId, clientSecret });
      assert.equal(status, 200);
      return body.accessToken;
    },
    async createSession(token: string, idempotencyKey: string): Promise<Session> {
      const headers = { 'idempotency-key': idempotencyKey };
      const made = await call('POST', '/v1/applications/sessions', sessionRequest, { token, headers });
      assert.equal(made.status, 200);
      return made.body;
    },
    async ask(token: string, session: Session, state: string) {
      const path = `/v1/test_helpers/applications/${session.applicationId}/states/${state}`;
      await call('POST', path, { status: 'requires_action', reason: 'Send it.' }, { token });
      return actionUrlOf(token, session, state);
    },
    async answer(actionUrl: string) {
      const sent = await createVisitor().post(actionUrl, { answer: 'Here it is.', confirm: 'yes' });
      assert.equal(sent.heading, 'Your answer was sent');
    },
    async upload({ applicationUrl }: Session) {
      const body = new FormData();
      body.append('documentKind', 'courtDocument');
      body.append('file', new Blob(['%PDF-1.7\nsample\n%%EOF\n']), 'sample.pdf');
      const sent = await fetch(`${applicationUrl}/background/documents`, { method: 'POST', body });
      assert.match(await sent.text(), /Document 1/);
    },
    async findBySsn(token: string) {
      const body = { lastName: 'Producer 1001', ssn };
      const found = await call('POST', '/v1/account/producer/npn-lookup', body, { token });
      return found.status === 200 ? (found.body as object as NpnLookUp).data.npn : undefined;
    },
    /** Completes the identity step of the same user's new application with the stored SSN. */
    async reuseSsn(session: Session) {
      const visitor = createVisitor();
      await walkTo(visitor, session, 'identity');
      const page = await visitor.post(`${session.applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
      return page.status === 200;
    },
  };
}

/** The number of encrypted values of each table with another key than the bridge's newest. */
async function sealedWithOldKey({ context: { db, keys } }: RunningBridge): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const column of sealedColumns) {
    const rows = await findSealedWithOldKey(db, column, sealedPrefix(keys.newestId), undefined, 10_000);
    counts[column.table] = rows.length;
  }
  return counts;
}

const nothing = {
  applicant: 0,
  application_step: 0,
  application_action: 0,
  team_member: 0,
  document: 0,
  operator: 0,
  webhook_secret: 0,
  registry_producer: 0,
};

test('With a new key, all older data works, and new data is encrypted with the new key.', async (t) => {
  const { rotating, service, credential, keyA, keyB, token, session, actionUrl } = await setup(t);
  const bridge = await rotating.start(keyB, keyA);
  const before = await sealedWithOldKey(bridge);
  assert.ok(
    Object.values(before).every((count) => count > 0),
    JSON.stringify(before),
  );

  await service.logIn(credential.testClientSecret);
  assert.equal((await service.createSession(token, 'key-of-A')).applicationUrl, session.applicationUrl);
  assert.equal(await service.actionUrlOf(token, session, 'TX'), actionUrl);
  assert.equal(await service.findBySsn(token), '1001');
  const next = await service.createSession(token, 'key-of-B');
  assert.equal(next.prefilled.ssn, true);
  assert.ok(await service.reuseSsn(next));
  assert.deepEqual(await sealedWithOldKey(bridge), before);
  await service.answer(actionUrl);
  assert.deepEqual(await sealedWithOldKey(bridge), before);
});

test('After everything is re-encrypted and the last link has expired, the old key is not needed.', async (t) => {
  const { rotating, service, credential, keyA, keyB, token, session, actionUrl } = await setup(t);
  const bridge = await rotating.start(keyB, keyA);
  await service.logIn(credential.testClientSecret);
  const first = await rotating.reEncrypt([keyB, keyA]);
  assert.deepEqual(await sealedWithOldKey(bridge), nothing);
  assert.ok(
    first.columns.every(({ reEncrypted, left, unreadable }) => reEncrypted > 0 && left === 0 && unreadable === 0),
  );
  const { sessionLinksUntil, ...needed } = first.needed;
  // The test secret was used meanwhile, and the live secret was not.
  assert.deepEqual(needed, { secrets: 1, sessionLinks: 1, actionLinks: 1 });
  assert.ok(Date.parse(sessionLinksUntil) > Date.now());
  assert.equal(first.oldKeysNeeded, true);

  await service.logIn(credential.liveClientSecret);
  await service.answer(actionUrl);
  await bridge.context.db
    .updateTable('idempotency_key')
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
    .execute();
  const second = await rotating.reEncrypt([keyB, keyA]);
  assert.ok(second.columns.every(({ reEncrypted }) => reEncrypted === 0));
  assert.equal(second.oldKeysNeeded, false);

  await assert.rejects(rotating.start(keyA), /is not the key/);
  await rotating.start(keyB);
  await service.logIn(credential.testClientSecret);
  await service.logIn(credential.liveClientSecret);
  assert.equal(await service.findBySsn(token), '1001');
  assert.ok(await service.reuseSsn(await service.createSession(token, 'key-of-B')));
  const receipt = await createVisitor().get(session.applicationUrl);
  assert.equal(receipt.status, 200);
});

test('A database of the previous version recognizes the key of its hashed secrets.', async (t) => {
  const { rotating, keyA, keyB } = await setup(t);
  const { db } = (await rotating.start(keyA)).context;
  await undoMigrations(db, '0010-secret-keys');
  await migrate(db);
  await assert.rejects(rotating.start(keyB), /is not the key/);
  await rotating.start(keyA);
});

test('After a theft, links get new URLs and the old ones open nothing.', async (t) => {
  const { rotating, service, keyA, keyC, token, session, actionUrl } = await setup(t);
  await rotating.start(keyC, keyA);
  const { renewedLinks } = await rotating.reEncrypt([keyC, keyA], '--links', 'renew');
  assert.equal(renewedLinks, 2);
  const [sessionAgain, actionAgain] = [
    await service.createSession(token, 'key-of-A'),
    await service.actionUrlOf(token, session, 'TX'),
  ];
  assert.equal(sessionAgain.sessionId, session.sessionId);
  for (const [old, fresh] of [
    [session.applicationUrl, sessionAgain.applicationUrl],
    [actionUrl, actionAgain],
  ] as const) {
    assert.notEqual(old, fresh);
    assert.equal((await createVisitor().get(old)).status, 404);
    assert.equal((await createVisitor().get(fresh)).status, 200);
  }
});

test('The links of earlier sessions of the same application are counted and renewed too.', async (t) => {
  const { rotating, service, keyA, keyC, token } = await setup(t);
  const bridge = await rotating.start(keyA);
  const first = await service.createSession(token, 'first-of-A');
  await walkTo(createVisitor(), first, 'profile');
  const endSoon = { expires_at: new Date(Date.now() + 60_000) };
  await bridge.context.db.updateTable('application').set(endSoon).where('id', '=', first.applicationId).execute();
  const second = await service.createSession(token, 'second-of-A');
  assert.equal(second.applicationId, first.applicationId);

  await rotating.start(keyC, keyA);
  assert.equal((await rotating.reEncrypt([keyC, keyA])).needed.sessionLinks, 3);
  const { renewedLinks } = await rotating.reEncrypt([keyC, keyA], '--links', 'renew');
  assert.equal(renewedLinks, 4);
  for (const [key, session] of Object.entries({ 'first-of-A': first, 'second-of-A': second })) {
    const again = await service.createSession(token, key);
    assert.equal(again.sessionId, session.sessionId);
    assert.equal((await createVisitor().get(session.applicationUrl)).status, 404);
    assert.equal((await createVisitor().get(again.applicationUrl)).status, 200);
  }
});

test('An idempotent call of the previous version, with one session per application, is counted too.', async (t) => {
  const { rotating, keyA, keyC } = await setup(t);
  const { context } = await rotating.start(keyA);
  await context.db.updateTable('idempotency_key').set({ session_id: null }).execute();
  await rotating.start(keyC, keyA);
  assert.equal((await rotating.reEncrypt([keyC, keyA])).needed.sessionLinks, 1);
});
