import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import { readAudit, type AuditEntry } from '../../../src/bridge/domain/audit.js';
import { createWebhookSecret, endWebhookSecret } from '../../../src/bridge/domain/accounts/agency.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { replaceCredential } from '../../../src/bridge/domain/accounts/credential.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { createApplication, submitApplication } from '../applications.js';

let bridge: TestBridge;
const secretKey = Buffer.alloc(32, 5).toString('base64');
const ssn = '900123456';
const sample = sampleProducer('12345', { ssn });
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: secretKey } });
  await addProducers(bridge.context, 'test', [sample]);
});
after(() => bridge.stop());

/** The entries of an agency, oldest first, without values that differ between runs. */
async function recorded(agencyId: string) {
  const entries = await readAudit(bridge.context, { agencyId, limit: 100 });
  return entries
    .toReversed()
    .map(({ id: _id, at: _at, agencyId: _agency, requestId: _request, note: _note, ...entry }) => entry);
}

function lookUp(token: string, number: string) {
  const body = { lastName: sample.biographic.lastName, ssn: number };
  return bridge.call('POST', '/v1/account/producer/npn-lookup', { token, body });
}

test('Each look-up by SSN is recorded with its request and its result, and without the name or SSN.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const hit = await lookUp(tokens.test, ssn);
  await lookUp(tokens.test, '900123457');
  const entries = await readAudit(bridge.context, { agencyId, limit: 100 });
  const lookUps = entries.filter(({ action }) => action === 'ssn.look_up');
  assert.deepEqual(
    lookUps.map(({ mode, actor, subject, result }) => ({ mode, actor, subject, result })),
    [
      { mode: 'test', actor: `credential:${credential.id}`, subject: '', result: 'miss' },
      { mode: 'test', actor: `credential:${credential.id}`, subject: 'npn:12345', result: 'hit' },
    ],
  );
  assert.equal(lookUps[1]?.requestId, hit.headers.get('x-request-id'));
  const { lastName } = sample.biographic;
  assert.doesNotMatch(JSON.stringify(entries), new RegExp(`90012345|${lastName}`));
});

test('The creation and removal of a webhook secret are recorded; removing a missing one is not.', async () => {
  const { agencyId } = await bridge.addAgency();
  const owner = { agencyId, mode: 'live' } as const;
  const secret = (await createWebhookSecret(bridge.context, owner)) ?? '';
  assert.equal(await endWebhookSecret(bridge.context, owner), true);
  assert.equal(await endWebhookSecret(bridge.context, owner), false);
  assert.equal(await createWebhookSecret(bridge.context, { ...owner, agencyId: 'agc_unknown' }), undefined);
  const entries = (await recorded(agencyId)).filter(({ action }) => action.startsWith('webhook_secret'));
  const entry = { mode: 'live', actor: 'operator', subject: agencyId, result: 'done' };
  assert.deepEqual(entries, [
    { ...entry, action: 'webhook_secret.created' },
    { ...entry, action: 'webhook_secret.ended' },
  ]);
  assert.ok(!JSON.stringify(await readAudit(bridge.context, { agencyId, limit: 100 })).includes(secret.slice(6)));
});

test('A credential that is issued, reset or replaced is recorded with its actor; a refused change is not.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const path = `/v1/account/account-credential?agencyId=${agencyId}`;
  assert.equal((await bridge.call('POST', path, { token: null })).status, 401);
  assert.equal((await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.test })).status, 401);
  const reset = await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.live });
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
  const replaced = await replaceCredential(bridge.context, agencyId);
  const { clientId = '', liveClientSecret: clientSecret = '' } = replaced ?? {};
  const { accessToken } = await login(bridge.context, { clientId, clientSecret }, 'test');
  const own = await bridge.call('POST', path, { token: accessToken });
  assert.equal(own.status, 200);
  const done = { mode: '', result: 'done' };
  assert.deepEqual(await recorded(agencyId), [
    { ...done, actor: 'operator', action: 'agency.created', subject: agencyId },
    { ...done, actor: 'agencyId', action: 'credential.issued', subject: credential.id },
    { ...done, actor: `credential:${credential.id}`, action: 'credential.reset', subject: credential.id },
    { ...done, actor: 'operator', action: 'credential.issued', subject: replaced?.id },
    { ...done, actor: `credential:${replaced?.id ?? ''}`, action: 'credential.issued', subject: own.body.id },
  ]);
});

test('An entered decision is recorded with its status; refused and simulated decisions are not.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const applicationId = await createApplication(bridge, { token: tokens.test, states: ['TX', 'CA'] });
  await submitApplication(bridge, applicationId, '0004');
  const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
  const decide = (status: string) => bridge.call('POST', path, { token: tokens.test, body: { status } });
  assert.equal((await decide('approved')).status, 200);
  assert.equal((await decide('denied')).status, 400);
  const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
  const output = { out: () => undefined, err: () => undefined };
  const words = ['application', 'decide', '--id', applicationId, '--state', 'CA', '--status', 'denied'];
  assert.equal(await runCli(words, variables, output), 0);
  const decisions = (await recorded(agencyId)).filter(({ action }) => action === 'state.decided');
  const decided = { mode: 'test', action: 'state.decided' };
  assert.deepEqual(decisions, [
    { ...decided, actor: `credential:${credential.id}`, subject: `${applicationId}/TX`, result: 'approved' },
    { ...decided, actor: 'operator', subject: `${applicationId}/CA`, result: 'denied' },
  ]);
});

test('A change whose audit entry cannot be written does not happen.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const { schema } = bridge.context.db;
  await schema.alterTable('audit_entry').renameTo('audit_away').execute();
  try {
    assert.equal((await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.live })).status, 500);
    assert.equal((await lookUp(tokens.test, ssn)).status, 500);
  } finally {
    await schema.alterTable('audit_away').renameTo('audit_entry').execute();
  }
  // The old secret still works.
  const { clientId, liveClientSecret: clientSecret } = credential;
  assert.match((await login(bridge.context, { clientId, clientSecret }, 'test')).accessToken, /./);
  assert.deepEqual(
    (await recorded(agencyId)).map(({ action }) => action),
    ['agency.created', 'credential.issued'],
  );
});

test('"audit list" prints the newest entries first, of one agency and since a given time.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  await lookUp(tokens.test, ssn);
  const list = async (...words: string[]) => {
    let [out, err] = ['', ''];
    const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await runCli(['audit', 'list', ...words], variables, output);
    return { code, out, err };
  };
  const { out } = await list('--agency', agencyId, '--json');
  const entries = JSON.parse(out) as AuditEntry[];
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['ssn.look_up', 'credential.issued', 'agency.created'],
  );
  const lines = (await list('--agency', agencyId)).out.trim().split('\n');
  assert.match(
    lines[0] ?? '',
    /^\d{4}-.*Z {2}agc_\S+ {2}test {2}credential:crd_\S+ {2}ssn\.look_up {2}npn:12345 {2}hit {2}req_/,
  );
  const later = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal((await list('--since', later)).out, 'None.\n');
  assert.ok((JSON.parse((await list('--json')).out) as AuditEntry[]).length > 3);
  const wrong = await list('--since', 'yesterday');
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /^--since: expected a time such as /);
});
