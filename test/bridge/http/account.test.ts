import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Account, Mode } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
before(async () => {
  bridge = await startBridge();
});
after(() => bridge.stop());

/** An agency without settings, and its calls of updateAccount (operation 2). */
async function setup() {
  const { agencyId, credential, tokens } = await bridge.addAgency();
  const tryUpdate = (body: unknown, mode: Mode = 'test') =>
    bridge.call('PATCH', '/v1/account', { body, token: tokens[mode] });
  const update = async (body: unknown, mode: Mode = 'test') => {
    const answer = await tryUpdate(body, mode);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as unknown as Account;
  };
  const unset = { businessEmail: '', preference: 'PDB-update', userId: credential.id, webhookUrl: '' };
  return { agencyId, credential, tokens, tryUpdate, update, unset };
}

test('Before the first change, an empty body returns the defaults and sets nothing.', async () => {
  const { agencyId, update, unset } = await setup();
  assert.deepEqual(await update({}), unset);
  const { db } = bridge.context;
  assert.deepEqual(await db.selectFrom('accountSetting').selectAll().where('agencyId', '=', agencyId).execute(), []);
});

test('Given fields are set, and omitted ones stay.', async () => {
  const { update, unset } = await setup();
  const first = { ...unset, businessEmail: 'office@agency.example' };
  assert.deepEqual(await update({ businessEmail: 'office@agency.example' }), first);
  const second = { ...first, preference: 'entity-info' };
  assert.deepEqual(await update({ webhookPreference: 'entity-info' }), second);
  const third = { ...second, webhookUrl: 'https://agency.example/hooks?a=b' };
  assert.deepEqual(await update({ webhookUrl: 'https://agency.example/hooks?a=b' }), third);
  assert.deepEqual(await update({}), third);
  const all = {
    businessEmail: 'desk@agency.example',
    webhookPreference: 'PDB-update',
    webhookUrl: 'https://b.example',
  };
  const { webhookPreference: preference, ...rest } = all;
  assert.deepEqual(await update(all), { ...unset, ...rest, preference });
});

for (const cleared of [null, '']) {
  test(`${JSON.stringify(cleared)} clears the optional fields.`, async () => {
    const { update, unset } = await setup();
    await update({ businessEmail: 'office@agency.example', webhookUrl: 'https://agency.example/hooks' });
    const withoutUrl = { ...unset, businessEmail: 'office@agency.example' };
    assert.deepEqual(await update({ webhookUrl: cleared }), withoutUrl);
    assert.deepEqual(await update({ businessEmail: cleared }), unset);
    assert.deepEqual(await update({ businessEmail: cleared, webhookUrl: cleared }), unset);
  });
}

test('Concurrent changes of different fields lose none.', async () => {
  const { update } = await setup();
  const fields = {
    businessEmail: 'office@agency.example',
    webhookPreference: 'entity-info',
    webhookUrl: 'https://agency.example/hooks',
  };
  for (let round = 1; round <= 5; round += 1) {
    // In the first round no row exists, so the changes race to insert it.
    await Promise.all(Object.entries(fields).map(([name, value]) => update({ [name]: value })));
    const { businessEmail, preference, webhookUrl } = await update({});
    assert.deepEqual({ businessEmail, webhookPreference: preference, webhookUrl }, fields);
    await update({ businessEmail: '', webhookPreference: 'PDB-update', webhookUrl: '' });
  }
});

test('Live mode accepts only https, test mode also http on localhost; a rejected change has no effect.', async () => {
  const { tryUpdate, update, unset } = await setup();
  const body = { businessEmail: 'office@agency.example', webhookUrl: 'http://localhost:4000/hooks' };
  const refused = await tryUpdate(body, 'live');
  assert.equal(refused.body.code, 40001);
  assert.equal(refused.body.details, 'webhookUrl: expected an https address in live mode');
  assert.deepEqual(await update({}, 'live'), unset);
  assert.equal((await update(body)).webhookUrl, body.webhookUrl);
});

for (const [body, field] of [
  [{ businessEmail: 'office' }, 'businessEmail'],
  [{ businessEmail: 5 }, 'businessEmail'],
  [{ businessEmail: `${'a'.repeat(250)}@b.example` }, 'businessEmail'],
  [{ webhookPreference: 'everything' }, 'webhookPreference'],
  [{ webhookPreference: null }, 'webhookPreference'],
  [{ webhookUrl: 'http://agency.example' }, 'webhookUrl'],
  [{ webhookUrl: 'https://user:secret@agency.example' }, 'webhookUrl'],
] as const) {
  test(`${JSON.stringify(body).slice(0, 60)} is 400 and names the field.`, async () => {
    const { tryUpdate, update, unset } = await setup();
    const { status, body: failure } = await tryUpdate(body);
    assert.deepEqual([status, failure.code], [400, 40001]);
    assert.ok(failure.details.startsWith(`${field}: expected `), failure.details);
    assert.ok(!failure.details.includes('secret'));
    assert.deepEqual(await update({}), unset);
  });
}

test('The settings stay when the credential is replaced; userId is the new one.', async () => {
  const { agencyId, credential, tokens, update } = await setup();
  await update({ businessEmail: 'office@agency.example' });
  const path = `/v1/account/account-credential?agencyId=${agencyId}`;
  const { body: renewed } = await bridge.call('POST', path, { token: tokens.live });
  const { clientId, testClientSecret: clientSecret } = renewed;
  const login = await bridge.call('POST', '/v1/auth/login', { token: null, body: { clientId, clientSecret } });
  const answer = await bridge.call('PATCH', '/v1/account', { body: {}, token: login.body.accessToken });
  const account = answer.body as unknown as Account;
  assert.equal(account.userId, renewed.id);
  assert.notEqual(account.userId, credential.id);
  assert.equal(account.businessEmail, 'office@agency.example');
});
