import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import type { AgencyCredential, NpnLookUp, Session } from '../../../src/contract/index.js';
import { createWebhookSecret } from '../../../src/bridge/domain/accounts/agency.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import type { OldKeyUse } from '../../../src/bridge/key-rotation/key-use.js';
import { addNote } from '../../../src/bridge/domain/applications/notes.js';
import { encryptedColumns, type ReEncryptedColumn } from '../../../src/bridge/key-rotation/re-encrypt.js';
import { createKeys, encryptedPrefix, UnknownKeyError } from '../../../src/bridge/domain/keys/keys.js';
import {
  findEncryptedWithOldKey,
  findRepeatableLinks,
  replaceSessionLink,
} from '../../../src/bridge/store/keys/key-store.js';
import { listApplications } from '../../../src/bridge/domain/applications/list-applications.js';
import { decryptApplication } from '../../../src/bridge/domain/applications/reveal.js';
import { readSearch } from '../../../src/bridge/domain/applications/search.js';
import { startSession } from '../../../src/bridge/domain/operators/operator-session.js';
import { createOperator } from '../../../src/bridge/domain/operators/operators.js';
import {
  createAccountCredential,
  createAgency,
  createLogger,
  readEnvironment,
  startBridge,
  type RunningBridge,
} from '../../../src/bridge/index.js';
import type { AnyBody } from '../../support/bridge.js';
import { testDatabase } from '../../support/database.js';
import { freePorts } from '../../support/free-ports.mjs';
import { findApplication } from '../../../src/bridge/store/applications/application-store.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { allowShortcuts } from '../apply/support/shortcuts.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { runHere } from '../process.js';

/** What `keys re-encrypt --json` prints. */
interface ReEncryptResult {
  columns: ReEncryptedColumn[];
  renewedLinks: number;
  needed: OldKeyUse;
  oldKeysNeeded: boolean;
}

/** A body of createSession (operation 18). */
const sessionRequest = {
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX', 'CA'],
  returnUrl: 'http://localhost:5999/return',
};

/** A key as `BRIDGE_SECRET_KEY` wants it. */
const newKey = () => randomBytes(32).toString('base64');

/** The database of a bridge that can be restarted with other keys. Its ports stay. */
async function setUpRotation(t: TestContext) {
  const database = await testDatabase();
  const [port, applyPort] = await freePorts(2);
  let running: RunningBridge | undefined;
  t.after(async () => {
    await running?.stop();
    await database.stop();
  });
  let ofTestMode: Record<string, string> = {};
  const variables = (newest: string, old: string[]) => ({
    ...ofTestMode,
    BRIDGE_PORT: String(port),
    APPLY_PORT: String(applyPort),
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: newest,
    BRIDGE_OLD_SECRET_KEYS: old.join(', '),
  });
  return {
    /** Gives test mode separate keys, from the next start or command. */
    setTestKeys(newest: string, ...old: string[]) {
      ofTestMode = { BRIDGE_TEST_SECRET_KEY: newest, BRIDGE_OLD_TEST_SECRET_KEYS: old.join(', ') };
    },
    /** Starts the bridge, and stops a running one. */
    async start(newest: string, ...old: string[]) {
      await running?.stop();
      running = await startBridge(readEnvironment(variables(newest, old)), {
        log: createLogger('silent'),
        assets: { href: (name) => name, at: () => undefined },
      });
      allowShortcuts(running.context);
      return running;
    },
    async call(
      method: string,
      path: string,
      body?: object,
      { token, headers }: { token?: string; headers?: Record<string, string> } = {},
    ) {
      const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as AnyBody };
    },
    /** Runs a command with these keys. */
    run: ([newest = '', ...old]: string[], ...words: string[]) => runHere(words, variables(newest, old)),
    /** Runs `keys re-encrypt` with these keys. */
    async reEncrypt([newest = '', ...old]: string[], ...words: string[]) {
      const { code, out, err } = await runHere(['keys', 're-encrypt', ...words, '--json'], variables(newest, old));
      const result = JSON.parse(out) as ReEncryptResult;
      // A script that removes the old key reads the exit code.
      assert.equal(code, result.oldKeysNeeded && !words.includes('lost') ? 1 : 0, err);
      return result;
    },
  };
}

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
  await addProducers(context, 'test', [sampleProducer('1001', { ssn })]);
  const token = await service.logIn(credential.testClientSecret);
  const member = { paymentResponsibility: 'agency', email: 'a@example.com', firstName: 'Sample', lastName: 'Member' };
  const onboarded = await rotating.call(
    'POST',
    '/v1/account/producer',
    { npn: '1001', onboardType: 'team', ssn, ...member },
    { token },
  );
  assert.equal(onboarded.status, 200);
  const operator = await createOperator(context, {
    scope: 'all',
    name: 'Sample Operator',
    role: 'file',
    hasTotp: true,
  });
  const signIn = { idToken: 'sample' };
  const { operatorId: id } = operator?.operator ?? assert.fail('no operator');
  await context.db.transaction().execute((trx) => startSession(trx, context, { id }, signIn));
  const session = await service.createSession(token, 'key-of-A');
  const visitor = createVisitor();
  await walkTo(visitor, session, 'disclosures');
  await service.upload(session);
  await walkTo(visitor, session, 'receipt', { identity: { ...typed.identity, use: 'keep' } });
  // One request that is answered and one that stays open.
  await service.answer(await service.ask(token, session, 'CA'));
  const actionUrl = await service.ask(token, session, 'TX');
  await addNote(context, { applicationId: session.applicationId, text: 'A note', actor: 'cli:tester' });
  return { rotating, service, agencyId, credential, keyA, keyB, keyC, token, session, actionUrl };
}

function serviceOf(rotating: Awaited<ReturnType<typeof setUpRotation>>, { clientId }: AgencyCredential) {
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
      body.append('subject', 'felony/courtDocument');
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

test('With a new key all older data works, and once it is re-encrypted and the last link has expired, the old key is not needed.', async (t) => {
  const { rotating, service, agencyId, credential, keyA, keyB, token, session, actionUrl } = await setup(t);
  const bridge = await rotating.start(keyB, keyA);
  await service.logIn(credential.testClientSecret);
  assert.equal((await service.createSession(token, 'key-of-A')).applicationUrl, session.applicationUrl);
  assert.equal(await service.actionUrlOf(token, session, 'TX'), actionUrl);
  assert.equal(await service.findBySsn(token), '1001');
  const first = await rotating.reEncrypt([keyB, keyA]);
  assert.ok(
    first.columns.every(({ reEncrypted, left, unreadable }) => reEncrypted > 0 && left === 0 && unreadable === 0),
  );
  const { sessionLinksUntil, ...needed } = first.needed;
  // The test secret was used meanwhile, and the live secret was not.
  assert.deepEqual(needed, { secrets: 1, agencyIds: [agencyId], sessionLinks: 1, actionLinks: 1 });
  assert.ok(Date.parse(sessionLinksUntil) > Date.now());
  assert.equal(first.oldKeysNeeded, true);

  await service.logIn(credential.liveClientSecret);
  await service.answer(actionUrl);
  await bridge.context.db
    .updateTable('idempotencyKey')
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .execute();
  const second = await rotating.reEncrypt([keyB, keyA]);
  assert.ok(second.columns.every(({ reEncrypted }) => reEncrypted === 0));
  assert.equal(second.oldKeysNeeded, false);

  await assert.rejects(rotating.start(keyA), /is not the key/);
  const { context } = await rotating.start(keyB);
  const found = await listApplications(context, { scope: 'all', search: readSearch(context.keys, 'Ana Rivera') });
  assert.deepEqual(
    found.applications.map(({ id }) => id),
    [session.applicationId],
    'a search by name needs the new key only',
  );
  await service.logIn(credential.testClientSecret);
  await service.logIn(credential.liveClientSecret);
  assert.equal(await service.findBySsn(token), '1001');
  assert.ok(await service.reuseSsn(await service.createSession(token, 'key-of-B')));
  const receipt = await createVisitor().get(session.applicationUrl);
  assert.equal(receipt.status, 200);
});

test('After a theft, all links get new URLs, those of earlier sessions too, and the old ones open nothing.', async (t) => {
  const { rotating, service, keyA, keyC, token, session, actionUrl } = await setup(t);
  const bridge = await rotating.start(keyA);
  const first = await service.createSession(token, 'first-of-A');
  await walkTo(createVisitor(), first, 'profile');
  const endSoon = { expiresAt: new Date(Date.now() + 60_000) };
  await bridge.context.db.updateTable('application').set(endSoon).where('id', '=', first.applicationId).execute();
  const second = await service.createSession(token, 'second-of-A');
  assert.equal(second.applicationId, first.applicationId);

  await rotating.start(keyC, keyA);
  assert.equal((await rotating.reEncrypt([keyC, keyA])).needed.sessionLinks, 3);
  const { renewedLinks } = await rotating.reEncrypt([keyC, keyA], '--links', 'renew');
  assert.equal(renewedLinks, 4);
  // Each key repeats the link of its session, not that of the newest one.
  assert.equal((await rotating.reEncrypt([keyC, keyA])).needed.sessionLinks, 0);
  const renewed = [[actionUrl, await service.actionUrlOf(token, session, 'TX')]];
  for (const [key, earlier] of Object.entries({ 'first-of-A': first, 'second-of-A': second })) {
    const again = await service.createSession(token, key);
    assert.equal(again.sessionId, earlier.sessionId);
    renewed.push([earlier.applicationUrl, again.applicationUrl]);
  }
  for (const [old = '', fresh = ''] of renewed) {
    assert.equal((await createVisitor().get(old)).status, 404);
    assert.equal((await createVisitor().get(fresh)).status, 200);
  }
  // What has the new key stays, also at a second run.
  assert.equal((await rotating.reEncrypt([keyC, keyA], '--links', 'renew')).renewedLinks, 0);
});

test('Links are read in pages, each once, and one that was replaced meanwhile stays.', async (t) => {
  const { rotating, service, keyA, token, session } = await setup(t);
  const { db } = (await rotating.start(keyA)).context;
  for (const key of ['b', 'a', 'c']) await service.createSession(token, key);
  const since = new Date(0);
  const all = await findRepeatableLinks(db, { since, after: undefined, limit: 10 });
  const inPages: typeof all = [];
  let page = await findRepeatableLinks(db, { since, after: undefined, limit: 2 });
  for (; page.length > 0; page = await findRepeatableLinks(db, { since, after: page.at(-1), limit: 2 }))
    inPages.push(...page);
  assert.deepEqual([inPages.map(({ key }) => key), inPages], [['a', 'b', 'c', 'key-of-A'], all]);
  const link = all.find(({ sessionId }) => sessionId === session.sessionId) ?? assert.fail();
  const [first, late] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  assert.deepEqual(
    [await replaceSessionLink(db, link, first), await replaceSessionLink(db, link, late)],
    [true, false],
  );
  assert.equal(await replaceSessionLink(db, { ...link, linkHash: first }, link.linkHash), true);
});

test('What no key can decrypt is named to the operator, and nothing is made up in its place.', async (t) => {
  const { rotating, agencyId, keyA, session } = await setup(t);
  const { context } = await rotating.start(keyA);
  const owner = { agencyId, mode: 'test' } as const;
  const application = (await findApplication(context.db, owner, session.applicationId)) ?? assert.fail();
  const whole = await decryptApplication(context, application);
  assert.deepEqual(whole.unreadable, []);
  const keys = createKeys([randomBytes(32)]);
  const lost = await decryptApplication({ ...context, keys }, application);
  assert.deepEqual([whole.ssn.length, lost.ssn, lost.answers], [9, '', []]);
  assert.deepEqual(lost.unreadable, ['profile', 'identity', 'background', 'CA 1']);
  // A residency, for example, is not known without the profile.
  assert.deepEqual([whole.profile.length > 0, lost.profile], [true, []]);
});

test('The secrets that an agency does not use keep the old key, until the command that is named replaces them.', async (t) => {
  const rotating = await setUpRotation(t);
  const [keyA, keyB] = [newKey(), newKey()];
  const { context } = await rotating.start(keyA);
  const { agencyId } = await createAgency(context, 'Example Agency');
  await createAccountCredential(context, agencyId, undefined);
  await rotating.start(keyB, keyA);
  const waiting = await rotating.run([keyB, keyA], 'keys', 're-encrypt');
  assert.equal(waiting.code, 1);
  assert.match(waiting.out, /2 client secrets, each until its next login/);
  assert.match(waiting.err, /^Keep BRIDGE_OLD_SECRET_KEYS/);
  const [, command = ''] = /(agency credential --id \S+) replaces/.exec(waiting.out) ?? [];
  assert.equal(command, `agency credential --id ${agencyId}`);
  assert.equal((await rotating.run([keyB, keyA], ...command.split(' '))).code, 0);
  const done = await rotating.run([keyB, keyA], 'keys', 're-encrypt');
  assert.deepEqual([done.code, done.err], [0, '']);
  assert.match(done.out, /not needed any more/);
});

test('With a separate key, nothing of test mode needs or can be read with the key of live mode, and nothing of live mode with its key.', async (t) => {
  const { rotating, service, credential, keyA, keyB, keyC, token, session, actionUrl } = await setup(t);
  const apart = async () => {
    const { context } = await rotating.start(keyA);
    return { ...(await wrongRows(context)), context };
  };
  assert.ok((await apart()).test === 0, 'one key for both');
  rotating.setTestKeys(keyB);
  await assert.rejects(rotating.start(keyA), /The key of test mode .* BRIDGE_OLD_TEST_SECRET_KEYS/);

  rotating.setTestKeys(keyB, keyA);
  await rotating.start(keyA);
  await service.logIn(credential.testClientSecret);
  await service.answer(actionUrl);
  assert.equal(await service.findBySsn(token), '1001');
  assert.ok((await apart()).test > 0);
  assert.equal((await rotating.reEncrypt([keyA], '--links', 'renew')).oldKeysNeeded, false);

  rotating.setTestKeys(keyB);
  const { test, live, context } = await apart();
  assert.deepEqual({ test, live }, { test: 0, live: 0 });
  await service.logIn(credential.testClientSecret);
  await service.logIn(credential.liveClientSecret);
  assert.equal(await service.findBySsn(token), '1001');
  assert.ok(await service.reuseSsn(await service.createSession(token, 'key-of-B')));
  const [ofLive, ofTest] = [context.keys.of('live'), context.keys.of('test')];
  assert.throws(() => ofTest.decrypt(ofLive.encrypt('900-11-0004', 'row'), 'row'), UnknownKeyError);
  assert.throws(() => ofLive.decrypt(ofTest.encrypt('900-11-0004', 'row'), 'row'), UnknownKeyError);
  const found = await listApplications(context, { scope: 'all', search: readSearch(context.keys, 'Ana Rivera') });
  assert.ok(found.applications.some(({ id }) => id === session.applicationId));
  assert.deepEqual(await wrongRows(context), { test: 0, live: 0 }, 'what was written with the new keys');

  rotating.setTestKeys(keyC);
  await assert.rejects(rotating.start(keyA), /The key of test mode/);
});

/** The encrypted texts of each mode that are not of the newest key of that mode. */
async function wrongRows({ db, keys }: RunningBridge['context']) {
  const prefixes = { live: encryptedPrefix(keys.of('live').newestId), test: encryptedPrefix(keys.of('test').newestId) };
  const count = { live: 0, test: 0 };
  for (const column of encryptedColumns) {
    for (const { keyMode } of await findEncryptedWithOldKey(db, column, prefixes, undefined, 1_000))
      count[keyMode] += 1;
  }
  return count;
}

/** A bridge, and a function that replaces its key for good. The agency's token stays valid. */
async function setUpLoss(t: TestContext) {
  const rotating = await setUpRotation(t);
  const { context } = await rotating.start(newKey());
  const { agencyId } = await createAgency(context, 'Example Agency');
  const { clientId, testClientSecret: clientSecret } = await createAccountCredential(context, agencyId, undefined);
  const { accessToken: token } = await login(context, { clientId, clientSecret }, 'test');
  return {
    logIn: () => rotating.call('POST', '/v1/auth/login', { clientId, clientSecret }),
    async createSession(userId: string): Promise<Session> {
      const made = await rotating.call('POST', '/v1/applications/sessions', { ...sessionRequest, userId }, { token });
      assert.equal(made.status, 200);
      return made.body;
    },
    async loseKey() {
      const key = newKey();
      await rotating.reEncrypt([key], '--old-keys', 'lost');
      await rotating.start(key);
    },
  };
}

for (const step of ['disclosures', 'review'] as const) {
  test(`A user whose key is lost at "${step}" types the unreadable data again, and submits.`, async (t) => {
    const { createSession, loseKey, logIn } = await setUpLoss(t);
    const session = await createSession('usr_abc123');
    const visitor = createVisitor();
    await walkTo(visitor, session, step);
    await loseKey();
    assert.equal((await logIn()).status, 401, 'the hash of the secret needs the key');
    if (step === 'review') {
      const refused = await visitor.post(`${session.applicationUrl}/review`, typed.review);
      assert.match(refused.url, /\/profile\/names$/, 'the user continues at the first missing step');
    }
    const identity = await visitor.get(`${session.applicationUrl}/identity`);
    assert.equal(identity.heading, 'Your Social Security number');
    assert.doesNotMatch(identity.html, /value="keep"/);
    const background = await visitor.post(`${session.applicationUrl}/identity`, typed.identity);
    assert.equal(background.heading, 'Criminal history');
    assert.doesNotMatch(background.html, /class="kept"/);
    const again = { identity: { ...typed.identity, use: 'keep' } };
    assert.equal((await walkTo(visitor, session, 'receipt', again)).heading, 'Application submitted');
  });
}

test('Answers that were kept for the next application are not offered after their key is lost.', async (t) => {
  const { createSession, loseKey } = await setUpLoss(t);
  await walkTo(createVisitor(), await createSession('usr_abc123'), 'receipt');
  await loseKey();
  const session = await createSession('usr_abc123');
  assert.equal(session.prefilled.ssn, false);
  const visitor = createVisitor();
  const identity = await walkTo(visitor, session, 'identity');
  assert.doesNotMatch(identity.html, /value="earlier"/);
  const background = await visitor.post(`${session.applicationUrl}/identity`, typed.identity);
  assert.equal(background.heading, 'Criminal history');
  const again = { identity: { ...typed.identity, use: 'keep' } };
  assert.equal((await walkTo(visitor, session, 'receipt', again)).heading, 'Application submitted');
  assert.equal((await createSession('usr_abc123')).prefilled.ssn, true);
});
