import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApplicationStatus, StateCode } from '../../../src/contract/index.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import { type Decision, decideState } from '../../../src/bridge/domain/filings/departments.js';
import { runFilingJob } from '../../../src/bridge/domain/filings/gateway-job.js';
import { markFiled } from '../../../src/bridge/domain/filings/filings.js';
import type { AutomaticFilingGateway } from '../../../src/bridge/ports/filing-gateway.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_SECRET_KEY: secretKey } });
});
after(() => service.stop());

/** A live application that is not filed. */
async function unfiled(states: StateCode[] = ['TX']): Promise<string> {
  const session = await service.createSession({ states, paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });
  return session.applicationId;
}

const decide = (applicationId: string, status: ApplicationStatus, own: Partial<Decision> = {}) =>
  decideState(service.context, { applicationId, state: 'TX', status, actor: 'cli:tester', ...own });

async function statusOf(applicationId: string) {
  const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
  return body.states[0]?.status;
}

function audited(applicationId: string) {
  return service.context.db
    .selectFrom('auditEntry')
    .select(['action', 'actor', 'result', 'note', 'mode'])
    .where('subject', '=', `${applicationId}/TX`)
    .orderBy('id')
    .execute();
}

for (const status of ['approved', 'denied'] as const) {
  test(`A live state that was not filed is ${status} only by a named actor who gives a reason, which is audited.`, async () => {
    const id = await unfiled();
    const override = 'The state confirmed it by phone';
    for (const own of [{}, { override: '  ' }, { override, actor: undefined }])
      await rejects(decide(id, status, own), { failure: 'invalid_transition', details: /reference/ });
    await rejects(decide(id, status, { override: 'x'.repeat(501) }), { failure: 'invalid_request' });
    deepEqual([await statusOf(id), await audited(id)], ['pending_review', []]);
    await decide(id, status, { override: ` ${override} ` });
    equal(await statusOf(id), status);
    const about = { actor: 'cli:tester', result: status, mode: 'live' };
    deepEqual(await audited(id), [
      { action: 'state.overridden', ...about, note: override },
      { action: 'state.decided', ...about, note: null },
    ]);
  });
}

test('A filing with a reference is decided without an override, also after the state has asked for more.', async () => {
  const id = await unfiled();
  await markFiled(service.context, { applicationId: id, state: 'TX', reference: 'TX-1', actor: 'cli:tester' });
  await decide(id, 'requires_action');
  await decide(id, 'pending_review');
  await decide(id, 'approved', { override: 'not needed' });
  const actions = (await audited(id)).map(({ action }) => action);
  deepEqual(actions, ['filing.filed', 'state.decided', 'state.decided', 'state.decided']);
});

test('The console asks for the reason of a decision without a reference, and not once the filing has one.', async () => {
  const id = await unfiled();
  const path = `/applications/${id}/states/TX`;
  const operator = await signedIn(service, 'Dana', 'file');
  match((await operator.get(path)).html, /name="override"/);
  const refused = await operator.post(path, { status: 'approved' });
  deepEqual([refused.status, await statusOf(id)], [422, 'pending_review']);
  match(refused.html, /Record the reference of the state first/);
  match((await operator.post(path, { status: 'approved', override: 'Said by phone' })).html, /The decision was saved/);
  match((await operator.get(`/applications/${id}`)).html, /Said by phone/);
  equal(await statusOf(id), 'approved');

  const filed = await unfiled();
  await markFiled(service.context, { applicationId: filed, state: 'TX', reference: 'TX-1', actor: 'cli:tester' });
  ok(!(await operator.get(`/applications/${filed}/states/TX`)).html.includes('name="override"'));
  await operator.post(`/applications/${filed}/states/TX`, { status: 'denied', reason: 'Not eligible' });
  equal(await statusOf(filed), 'denied');
});

test('The command line decides a live state without a reference only with --override.', async () => {
  const id = await unfiled();
  let err = '';
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
  const run = (...more: string[]) =>
    runCli(['application', 'decide', '--id', id, '--state', 'TX', '--status', 'approved', ...more], variables, {
      out: () => undefined,
      err: (text) => void (err += text),
    });
  equal(await run(), 1);
  match(err, /override: the filing has no reference/);
  equal(await statusOf(id), 'pending_review');
  equal(await run('--override', 'Confirmed by phone'), 0);
  equal(await statusOf(id), 'approved');
  equal((await audited(id))[0]?.note, 'Confirmed by phone');
});

test('A gateway decides only what has a reference, overrides nothing, and is audited.', async () => {
  const id = await unfiled();
  let reference = ' ';
  const filingGateway: AutomaticFilingGateway = {
    kind: 'automatic',
    serves: () => true,
    submit: () => Promise.resolve({ status: 'filed', reference }),
    lookUp: () => Promise.resolve({ status: 'approved', override: 'of the adapter' }),
  };
  const job = { applicationId: id, state: 'TX', serial: 0, attempt: 0 } as const;
  const context = { ...service.context, filingGateway, schedule: () => Promise.resolve() };
  const run = (task: 'submit' | 'look_up') => runFilingJob(context, { ...job, task });
  await run('submit');
  await run('look_up');
  const waiting = await service.context.db.selectFrom('filing').selectAll().where('applicationId', '=', id).execute();
  deepEqual(
    waiting.map(({ status, lastError, reference: stored }) => [status, lastError, stored]),
    [['waiting', 'no_reference', null]],
  );
  equal(await statusOf(id), 'pending_review');
  reference = 'TX-1';
  await run('submit');
  await run('look_up');
  equal(await statusOf(id), 'approved');
  const decisions = (await audited(id)).filter(({ action }) => action.startsWith('state.'));
  deepEqual(decisions, [{ action: 'state.decided', actor: 'gateway', result: 'approved', note: null, mode: 'live' }]);
});
