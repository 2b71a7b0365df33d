import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createAccountCredential, createAgency } from '../../../src/bridge/index.js';
import { newKey, sessionRequest, setUpRotation } from './rotation.js';

/** A bridge whose key is lost, after an agency has begun an application; and what the agency and the operator can do. */
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
  await rotating.reseal([key], '--old-keys', 'lost');
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
    end: (id = agencyId) => rotating.run([key], 'agency', 'end-credential', '--id', id),
  };
}

test('an agency whose secrets were lost with the key is issued new ones for its id, once, and finds its data', async (t) => {
  const { credential, issue, end, agencyId, token, applicationId, logIn, read } = await setup(t);
  assert.equal((await logIn(credential)).status, 401);
  assert.equal((await issue()).status, 401);

  assert.deepEqual(await end(), { agencyId, ended: true });
  assert.equal((await read(token)).status, 401, 'a token of before');
  const issued = await issue();
  assert.equal(issued.status, 200);
  assert.equal((await issue()).status, 401);
  assert.notEqual(issued.body.clientId, credential.clientId);
  const { accessToken } = (await logIn(issued.body)).body;
  assert.equal((await read(accessToken)).body.applicationId, applicationId);
});

test('another agency is not touched, and one that has no credential or is not there is said to be so', async (t) => {
  const { context, end, agencyId, logIn } = await setup(t);
  const other = await createAccountCredential(context, (await createAgency(context, 'Another')).agencyId, undefined);
  await end();
  assert.deepEqual(await end(), { agencyId, ended: false });
  await assert.rejects(end('agc_none'), /There is no agency of this id/);
  assert.equal((await logIn(other)).status, 200);
});

test('nobody waits any more for a login with secrets that were lost', async (t) => {
  const { rotating, key, end } = await setup(t);
  assert.equal((await rotating.reseal([key])).needed.secrets, 2);
  await end();
  assert.equal((await rotating.reseal([key])).needed.secrets, 0);
});
