import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Application } from '../../../src/contract/index.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { markFiled } from '../../../src/bridge/domain/filings/filings.js';
import { runFilingJob } from '../../../src/bridge/domain/filings/gateway-job.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import { checkLicense } from '../../../src/bridge/domain/filings/issued-license.js';
import type { AutomaticFilingGateway, DepartmentAnswer } from '../../../src/bridge/ports/filing-gateway.js';
import type { IssuedLicense } from '../../../src/bridge/store/tables/filing-tables.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';
import { startReceiver, type Receiver } from '../receiver.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');
const license = {
  licenseNumber: 'TX-1234567',
  issuedOn: '2026-01-02',
  expiresOn: '2028-01-31',
  lines: ['life', 'accident_health'],
};

let service: ConsoleService;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  service = await startConsole({ environment: { BRIDGE_SECRET_KEY: secretKey } });
});
after(async () => {
  await service.stop();
  await receiver.close();
});

async function filed() {
  const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });
  const { applicationId } = session;
  await markFiled(service.context, { applicationId, state: 'TX', reference: 'TX-1', actor: 'cli:tester' });
  return session;
}

async function stateOf(applicationId: string) {
  const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
  const { updatedAt: _, ...state } = (body as Application).states[0] ?? {};
  return state;
}

test('The license of an approval is in getApplication (operation 19), the webhook, the receipt and the package.', async () => {
  const session = await service.createSession({ states: ['TX'], webhookUrl: receiver.url });
  await placeAt(service, session, 'receipt', { ssn: '900-11-0004' });
  const { applicationId } = session;
  const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
  const { status, body } = await service.call('POST', path, { body: { status: 'approved', ...license } });
  const { updatedAt, ...state } = (body as Application).states[0] ?? {};
  ok(updatedAt);
  deepEqual([status, state], [200, { state: 'TX', status: 'approved', ...license }]);
  const changed = await receiver.arrival(1).then(async () => {
    for (let count = 1; ; count += 1) {
      await receiver.arrival(count);
      const event = receiver.received[count - 1]?.event;
      if (event?.type === 'application.status_changed') return event.data.states;
    }
  });
  deepEqual(changed, [{ state: 'TX', status: 'approved', ...license }]);
  const receipt = await createVisitor().get(`${session.applicationUrl}/receipt`);
  match(receipt.html, /License number: TX-1234567 · Issued: January 2, 2026 · Expires: January 31, 2028/);
  match(receipt.html, /Lines of authority: Life and Accident and health or sickness/);
  const filing = await readPackage(service.context, { applicationId, state: 'TX', actor: 'cli:tester' });
  const section = filing?.sections.find(({ title }) => title === 'License issued');
  deepEqual(
    section?.rows.map(({ value }) => value),
    [['TX-1234567'], ['2026-01-02'], ['2028-01-31'], ['Life', 'Accident and health or sickness']],
  );
});

test('The console and the command line enter the license of an approval, and say what is wrong with it.', async () => {
  const { applicationId } = await filed();
  const operator = await signedIn(service, 'Dana', 'file');
  const path = `/applications/${applicationId}/states/TX`;
  await operator.get(path);
  const { lines, ...typed } = license;
  const boxes = Object.fromEntries(lines.map((line) => [`line-${line}`, 'yes']));
  const early = await operator.post(path, { status: 'approved', ...typed, expiresOn: '2025-01-01', ...boxes });
  equal(early.status, 422);
  match(early.html, /Write a day that is not before the issue/);
  const saved = await operator.post(path, { status: 'approved', ...typed, ...boxes });
  match(saved.html, /License number: TX-1234567/);
  deepEqual(await stateOf(applicationId), { state: 'TX', status: 'approved', ...license });

  const other = (await filed()).applicationId;
  let err = '';
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
  const decide = (...more: string[]) =>
    runCli(['application', 'decide', '--id', other, '--state', 'TX', '--status', 'approved', ...more], variables, {
      out: () => undefined,
      err: (text) => void (err += text),
    });
  equal(await decide('--lines', 'crop,yachts'), 1);
  match(err, /lines: expected lines of the state for this license type/);
  const options = ['--license-number', license.licenseNumber, '--lines', license.lines.join(',')];
  equal(await decide(...options, '--issued-on', license.issuedOn, '--expires-on', license.expiresOn), 0);
  deepEqual(await stateOf(other), { state: 'TX', status: 'approved', ...license });
});

test('A gateway reports the license of an approval. One that cannot be is looked up again, and decides nothing.', async () => {
  const { applicationId } = await filed();
  let answer = { status: 'approved', ...license, expiresOn: '2025-01-01' } as DepartmentAnswer;
  const filingGateway: AutomaticFilingGateway = {
    kind: 'automatic',
    serves: () => true,
    submit: () => Promise.resolve({ status: 'refused', code: 'unused' }),
    lookUp: () => Promise.resolve(answer),
  };
  const planned: unknown[] = [];
  const context = {
    ...service.context,
    filingGateway,
    schedule: (_trx: unknown, ...job: unknown[]) => Promise.resolve(void planned.push(job)),
  };
  const job = { task: 'look_up', applicationId, state: 'TX', serial: 0, attempt: 0 } as const;
  await runFilingJob(context, job);
  const filing = await service.context.db
    .selectFrom('filing')
    .select('lastError')
    .where('applicationId', '=', applicationId)
    .executeTakeFirst();
  deepEqual([filing?.lastError, planned.length], ['wrong_license', 1]);
  deepEqual(await stateOf(applicationId), { state: 'TX', status: 'pending_review' });
  answer = { status: 'approved', ...license };
  await runFilingJob(context, job);
  deepEqual(await stateOf(applicationId), { state: 'TX', status: 'approved', ...license });
});

test('Only an approval has a license.', async () => {
  const { applicationId } = await filed();
  const decision = { applicationId, state: 'TX', status: 'denied', actor: 'cli:tester' } as const;
  await rejects(decideState(service.context, { ...decision, issuedOn: '2026-01-02' }), {
    failure: 'invalid_request',
    details: /issuedOn: expected only with the status approved/,
  });
  await decideState(service.context, { ...decision, licenseNumber: '', lines: [] });
  deepEqual(await stateOf(applicationId), { state: 'TX', status: 'denied' });
});

const cases: [what: string, given: IssuedLicense, problems: string[]][] = [
  ['nothing', {}, []],
  ['a whole license', license, []],
  ['a long number', { licenseNumber: 'x'.repeat(41) }, ['licenseNumber text']],
  ['a number of two lines', { licenseNumber: '1\n2' }, ['licenseNumber text']],
  ['a number that is no text', { licenseNumber: 12 as never }, ['licenseNumber text']],
  ['February 30', { issuedOn: '2026-02-30' }, ['issuedOn day']],
  ['a day of another form', { expiresOn: '01/31/2028' }, ['expiresOn day']],
  ['an issue tomorrow in UTC', { issuedOn: '2026-03-02' }, []],
  ['an issue in the future', { issuedOn: '2026-03-03' }, ['issuedOn future']],
  ['an end on the day of the issue', { issuedOn: '2026-01-02', expiresOn: '2026-01-02' }, []],
  ['an end before the issue', { issuedOn: '2026-01-02', expiresOn: '2026-01-01' }, ['expiresOn order']],
  ['a line of nobody', { lines: ['life', 'yachts'] }, ['lines unknown']],
  ['a line twice', { lines: ['life', 'life'] }, ['lines unknown']],
  ['lines that are no list', { lines: 'life' as never }, ['lines unknown']],
];
for (const [what, given, problems] of cases) {
  test(`The check of a license with ${what} finds: ${problems.join(', ') || 'nothing'}.`, () => {
    const about = { status: 'approved', lines: license.lines, now: new Date('2026-03-01T12:00:00Z') } as const;
    const found = checkLicense(given, about);
    deepEqual(
      found.map(({ field, problem }) => `${field} ${problem}`),
      problems,
    );
  });
}
