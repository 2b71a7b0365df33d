import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createAccountCredential, createAgency } from '../../../src/bridge/index.js';
import { newKey, sessionRequest, setUpRotation } from './rotation.js';

/**
 * A bridge whose key is lost after an agency has started an application, and the recovery by agency
 * and operator.
 */
async function setup(t: TestContext) {
  const rotating = await setUpRotation(t);
  const [lost, key] = [newKey(), newKey()];
  const { context } = await rotating.start(lost);
  const { agencyId } = await createAgency(context, 'Example Agency');
  const credential = await createAccountCredential(context, agencyId, undefined);
  const logIn = ({ clientId, testClientSecret: clientSecret }: typeof credential) =>
    rotating.call('POST', '/v1/auth/login', { clientId, clientSecret });
  const { accessToken: token } = (await logIn(credential)).body;
  const { applicationId } = (await rotating.call('POST', '/v1/applications/sessions', sessionRequest, { token })).body;
  await rotating.reEncrypt([key], '--old-keys', 'lost');
  return {
    rotating,
    key,
    context: (await rotating.start(key)).context,
    agencyId,
    credential,
    token,
    applicationId,
    logIn,
    read: (as: string) => rotating.call('GET', `/v1/applications/${applicationId}`, undefined, { token: as }),
    issue: () => rotating.call('POST', `/v1/account/account-credential?agencyId=${agencyId}`),
    replace: async (id = agencyId) =>
      (await rotating.run([key], 'agency', 'credential', '--id', id)) as typeof credential,
  };
}

test('An agency whose secrets were lost with the key gets new ones from the operator, and finds its data.', async (t) => {
  const { credential, replace, token, applicationId, logIn, read } = await setup(t);
  assert.equal((await logIn(credential)).status, 401);

  const issued = await replace();
  assert.equal((await read(token)).status, 401, 'a token of before');
  assert.notEqual(issued.clientId, credential.clientId);
  const { accessToken } = (await logIn(issued)).body;
  assert.equal((await read(accessToken)).body.applicationId, applicationId);
});

test('The id of an agency, which partners see in responses, never issues a second credential.', async (t) => {
  const { rotating, context, agencyId, replace, issue } = await setup(t);
  assert.equal((await issue()).status, 401);
  await replace();
  assert.equal((await issue()).status, 401);
  // As an earlier release left it, whose `agency end-credential` ended a credential without issuing
  // another.
  await context.db.updateTable('credential').set({ is_active: false }).where('agency_id', '=', agencyId).execute();
  assert.equal((await issue()).status, 401);
  assert.equal((await rotating.call('POST', '/v1/auth/login', await loginOf(replace()))).status, 200);
});

test('A new credential does not affect another agency, and an unknown agency is reported.', async (t) => {
  const { context, replace, logIn } = await setup(t);
  const other = await createAccountCredential(context, (await createAgency(context, 'Another')).agencyId, undefined);
  await replace();
  await assert.rejects(replace('agc_none'), /There is no agency of this id/);
  assert.equal((await logIn(other)).status, 200);
});

async function loginOf(credential: Promise<{ clientId: string; liveClientSecret: string }>) {
  const { clientId, liveClientSecret } = await credential;
  return { clientId, clientSecret: liveClientSecret };
}
