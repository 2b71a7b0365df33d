import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgency, deactivateAgency } from '../../../src/bridge/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
before(async () => {
  bridge = await startBridge();
});
after(() => bridge.stop());

const path = (agencyId: string) => `/v1/account/account-credential?agencyId=${encodeURIComponent(agencyId)}`;
const issue = (agencyId: string, token: string | null = null) => bridge.call('POST', path(agencyId), { token });
const login = (clientId: string, clientSecret: string) =>
  bridge.call('POST', '/v1/auth/login', { token: null, body: { clientId, clientSecret } });
const isAccepted = async (token: string) =>
  (await bridge.call('GET', '/v1/applications/app_x', { token })).status === 404;

test('The first call needs only the agency id and returns both secrets.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'First Agency');
  const { status, body } = await issue(agencyId);
  assert.equal(status, 200);
  const { clientId, createdAt, id, liveClientSecret, testClientSecret, updatedAt, ...rest } = body;
  assert.deepEqual(rest, { agencyId, agencyName: 'First Agency', deactivatedAt: '', isActive: true });
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(updatedAt, createdAt);
  assert.match(liveClientSecret, /^[\w-]{43}$/);
  assert.notEqual(liveClientSecret, testClientSecret);
  assert.ok(id.length > 0);
  assert.equal((await login(clientId, liveClientSecret)).status, 200);
  assert.equal((await login(clientId, testClientSecret)).status, 200);
});

test('Of many concurrent first calls, one gets the credential.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'Raced Agency');
  const answers = await Promise.all(Array.from({ length: 8 }, () => issue(agencyId)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(401)]);
  const refused = answers.find(({ status }) => status === 401);
  assert.equal(refused?.body.code, 40103);
});

test('A used agency id without a token is 401.', async () => {
  assert.equal((await issue(bridge.agencyId)).body.code, 40103);
});

test("The agency's own live token replaces the credential: old secrets and old tokens end at once.", async () => {
  const { agencyId, credential, tokens } = await bridge.addAgency();
  assert.ok(await isAccepted(tokens.test));
  const { status, body } = await issue(agencyId, tokens.live);
  assert.equal(status, 200);
  assert.notEqual(body.clientId, credential.clientId);
  assert.equal(await isAccepted(tokens.live), false);
  assert.equal(await isAccepted(tokens.test), false);
  assert.equal((await login(credential.clientId, credential.testClientSecret)).status, 401);
  assert.equal((await login(body.clientId, body.testClientSecret)).status, 200);
  const old = await bridge.context.db
    .selectFrom('credential')
    .selectAll()
    .where('id', '=', credential.id)
    .executeTakeFirstOrThrow();
  assert.equal(old.is_active, false);
  assert.ok(old.deactivated_at instanceof Date);
});

test('Of two concurrent replacements with one token, one wins, and the winner is active.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const answers = await Promise.all([issue(agencyId, tokens.live), issue(agencyId, tokens.live)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  const winner = answers.find(({ status }) => status === 200);
  assert.ok(winner);
  const { body } = winner;
  assert.equal((await login(body.clientId, body.testClientSecret)).status, 200);
});

test('No token that a login received during a replacement survives it.', async () => {
  const { agencyId, credential, tokens } = await bridge.addAgency();
  const [replaced, ...logins] = await Promise.all([
    issue(agencyId, tokens.live),
    ...Array.from({ length: 8 }, () => login(credential.clientId, credential.testClientSecret)),
  ]);
  assert.equal(replaced.status, 200);
  for (const { status, body } of logins) {
    if (status === 200) assert.equal(await isAccepted(body.accessToken), false);
    else assert.equal(status, 401);
  }
});

test('A test token, a token of another agency and an invalid token are 401.', async () => {
  const other = await bridge.addAgency();
  for (const token of [bridge.tokens.test, other.tokens.live, 'x'.repeat(43)]) {
    assert.equal((await issue(bridge.agencyId, token)).body.code, 40101);
  }
  const { agencyId } = await createAgency(bridge.context, 'Fresh Agency');
  assert.equal((await issue(agencyId, 'x'.repeat(43))).status, 401);
});

test('A missing, malformed, unknown or deactivated agency id is 400.', async () => {
  const { agencyId } = await createAgency(bridge.context, 'Closed Agency');
  await deactivateAgency(bridge.context, agencyId);
  for (const id of ['', 'x', 'agc_', 'agc_unknown', "agc_' or 1=1", 'agc_\u0000', agencyId]) {
    assert.equal((await issue(id)).body.code, 40007, id);
  }
  assert.equal((await bridge.call('POST', '/v1/account/account-credential', { token: null })).body.code, 40007);
});

test('A deactivated agency cannot log in, and its tokens are 403 where declared, 401 elsewhere.', async () => {
  const { agencyId, credential, tokens } = await bridge.addAgency();
  await deactivateAgency(bridge.context, agencyId);
  assert.equal((await login(credential.clientId, credential.liveClientSecret)).body.code, 40102);
  assert.equal((await bridge.call('GET', '/v1/applications/app_x', { token: tokens.test })).body.code, 40301);
  const profile = { token: tokens.live, body: {} };
  assert.equal((await bridge.call('PATCH', '/v1/users/u/licensing-profile', profile)).body.code, 40301);
  assert.equal((await issue(agencyId, tokens.live)).body.code, 40104);
});
