import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { answerAction, decideState } from '../../../src/bridge/domain/filings/departments.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import type { FilingJob } from '../../../src/bridge/domain/jobs.js';
import { runFilingJob } from '../../../src/bridge/domain/filings/gateway-job.js';
import { claimFiling, listFilings } from '../../../src/bridge/domain/filings/filings.js';
import type {
  AutomaticFilingGateway,
  DepartmentAnswer,
  SubmitOutcome,
} from '../../../src/bridge/ports/filing-gateway.js';
import { findApplicationById } from '../../../src/bridge/store/applications/application-store.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { until } from '../until.js';

const overridden = { actor: 'cli:tester', override: 'Confirmed by phone' } as const;
const canary = 'quokka-gateway-canary';
const failure = () => Promise.reject(Object.assign(new Error(canary), { code: 'DEPARTMENT_DOWN' }));

async function submitLive(service: ApplyService): Promise<string> {
  const session = await service.createSession(
    { states: ['TX', 'CA'], paymentMethod: 'partner_billing' },
    { mode: 'live' },
  );
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });
  return session.applicationId;
}

describe('the job of a filing gateway', () => {
  let service: ApplyService;
  let submit: () => Promise<SubmitOutcome>;
  let lookUp: () => Promise<DepartmentAnswer>;
  const calls: unknown[] = [];
  const planned: [job: FilingJob, afterSeconds: number][] = [];
  const gateway: AutomaticFilingGateway = {
    kind: 'automatic',
    serves: () => true,
    submit({ state, serial, ssn }) {
      calls.push(['submit', state, serial, ssn]);
      return submit();
    },
    lookUp({ state, serial, reference }) {
      calls.push(['lookUp', state, serial, reference]);
      return lookUp();
    },
  };
  before(async () => {
    service = await startApplyService();
  });
  beforeEach(() => {
    calls.length = 0;
    planned.length = 0;
    submit = () => Promise.resolve({ status: 'filed', reference: 'REF-1' });
    lookUp = () => Promise.resolve({ status: 'pending' });
  });
  after(() => service.stop());

  /** An application that waits for Texas, and a function that runs a job. */
  async function open() {
    const applicationId = await submitLive(service);
    const job: FilingJob = { task: 'submit', applicationId, state: 'TX', serial: 0, attempt: 0 };
    const run = (
      own: Partial<FilingJob> = {},
      other: Pick<BridgeContext, 'filingGateway'> = { filingGateway: gateway },
    ) =>
      runFilingJob(
        {
          ...service.context,
          ...other,
          schedule: (_, _kind, next, after) => Promise.resolve(void planned.push([next as FilingJob, after])),
        },
        { ...job, ...own },
      );
    const row = async () =>
      (await listFilings(service.context, { scope: 'all', applicationId, state: 'TX', limit: 1 })).map(
        ({ status, reference, filedBy, attempts, lastError }) => [status, reference, filedBy, attempts, lastError],
      )[0];
    const status = async () =>
      (await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live })).body.states[0]
        ?.status;
    const decide = (to: 'approved' | 'requires_action') =>
      decideState(service.context, { applicationId, state: 'TX', status: to, reason: 'A paper', ...overridden });
    return { applicationId, job, run, row, status, decide };
  }

  it('A filed package is recorded, and its answer is looked up a quarter of an hour later, or when the gateway says.', async () => {
    const { run, row, job } = await open();
    await run({ attempt: 4 });
    deepEqual(calls, [['submit', 'TX', 0, '234567891']]);
    deepEqual(await row(), ['filed', 'REF-1', 'gateway', 0, null]);
    deepEqual(planned, [[{ ...job, task: 'look_up', attempt: 0 }, 900]]);
    await run({ task: 'look_up' }, { filingGateway: { ...gateway, lookUpSeconds: 7 } });
    deepEqual(calls[1], ['lookUp', 'TX', 0, 'REF-1']);
    deepEqual(planned[1], [{ ...job, task: 'look_up', attempt: 0 }, 7]);
    const other = await open();
    await other.run({}, { filingGateway: { ...gateway, lookUpSeconds: 7 } });
    equal(planned[2]?.[1], 7);
    await other.run({ task: 'look_up', attempt: 3 });
    deepEqual(planned[3], [{ ...other.job, task: 'look_up', attempt: 0 }, 900]);
  });

  it('A refused package stays in the queue with its code, and is not submitted again.', async () => {
    const { run, row } = await open();
    submit = () => Promise.resolve({ status: 'refused', code: 'c'.repeat(61) });
    await run();
    await run();
    deepEqual(await row(), ['waiting', null, null, 2, 'c'.repeat(60)]);
    deepEqual(planned, []);
  });

  it('A failure is tried again, with pauses that double up to an hour, and only its code is kept.', async () => {
    const { run, row, job } = await open();
    submit = failure;
    const pauses = [15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600, 3_600];
    for (const [attempt, pause] of pauses.entries()) {
      await run({ attempt });
      deepEqual(planned.at(-1), [{ ...job, attempt: attempt + 1 }, pause]);
    }
    await run({ attempt: 5_000 });
    equal(planned.at(-1)?.[1], 3_600);
    deepEqual(await row(), ['waiting', null, null, pauses.length + 1, 'DEPARTMENT_DOWN']);
    lookUp = failure;
    await run({ task: 'look_up' });
    deepEqual(planned.at(-1), [{ ...job, task: 'look_up', attempt: 1 }, 15]);
    const log = service.logged.join('');
    ok(log.includes('DEPARTMENT_DOWN') && !log.includes(canary));
  });

  it('The answer of a department is the decision of the state.', async () => {
    for (const answer of ['approved', 'denied', 'requires_action'] as const) {
      const { run, status } = await open();
      await run();
      planned.length = 0;
      lookUp = () =>
        Promise.resolve(answer === 'approved' ? { status: answer } : { status: answer, reason: 'Because' });
      await run({ task: 'look_up' });
      equal(await status(), answer);
    }
    deepEqual(planned, []);
  });

  it('A look-up does not replace a decision that was entered meanwhile, and an unexpected failure is tried again.', async () => {
    const { run, status, decide } = await open();
    await decide('requires_action');
    lookUp = () => Promise.resolve({ status: 'denied', reason: 'Because' });
    await run({ task: 'look_up' });
    deepEqual([await status(), planned], ['requires_action', []]);
    const other = await open();
    await other.run();
    planned.length = 0;
    // PostgreSQL cannot store it.
    lookUp = () => Promise.resolve({ status: 'denied', reason: '\u0000' });
    await other.run({ task: 'look_up' });
    deepEqual([await other.status(), planned.length], ['pending_review', 1]);
  });

  it("A gateway's answer that is overtaken by the state's next request does not touch the new filing.", async () => {
    const { run, row, status, decide, applicationId } = await open();
    const askAgain = async () => {
      await decide('requires_action');
      const { db } = service.context;
      const application = await findApplicationById(db, applicationId);
      await db.transaction().execute((trx) => answerAction(service.context, trx, application, 'TX'));
    };
    submit = async () => {
      await askAgain();
      return { status: 'filed', reference: 'REF-OLD' };
    };
    await run();
    deepEqual(await row(), ['waiting', null, null, 0, null]);
    lookUp = async () => {
      await askAgain();
      return { status: 'approved' };
    };
    await run({ task: 'look_up', serial: 1 });
    deepEqual([await row(), await status()], [['waiting', null, null, 0, null], 'pending_review']);
  });

  it('A job does nothing for an answered, claimed, renewed, unknown or erased filing, or without its gateway.', async () => {
    const answered = await open();
    await answered.decide('approved');
    await answered.run();
    await answered.run({ task: 'look_up' });
    const { run, applicationId } = await open();
    await run({ serial: 1 });
    await run({ serial: 1, task: 'look_up' });
    await run({ applicationId: 'app_unknown' });
    await run({}, { filingGateway: { kind: 'manual' } });
    await run({ task: 'look_up' }, { filingGateway: undefined });
    await claimFiling(service.context, { applicationId, state: 'TX', actor: 'operator:dana' });
    await run();
    const erased = await open();
    const { db } = service.context;
    await db.updateTable('application').set({ erasedAt: new Date() }).where('id', '=', erased.applicationId).execute();
    await erased.run();
    deepEqual([calls, planned], [[], []]);
    deepEqual(await erased.row(), ['waiting', null, null, 0, null]);
  });
});

describe('a live application that a gateway files', () => {
  it("A filing is submitted again after a failure, and ends with the state's decision.", async (t) => {
    let failures = 1;
    const filed: string[] = [];
    const filingGateway: AutomaticFilingGateway = {
      kind: 'automatic',
      lookUpSeconds: 1,
      serves: (state) => state === 'TX',
      submit({ state }) {
        filed.push(state);
        return (failures -= 1) >= 0 ? failure() : Promise.resolve({ status: 'filed', reference: 'REF-1' });
      },
      lookUp: () => Promise.resolve({ status: 'approved' }),
    };
    const service = await startApplyService({ filingGateway });
    t.after(() => service.stop());
    const applicationId = await submitLive(service);
    const statuses = async () =>
      (await listFilings(service.context, { scope: 'all', applicationId, limit: 10 })).map(({ status }) => status);
    await until(async () => (await statuses())[1] === 'answered');
    deepEqual(
      [await statuses(), filed],
      [
        ['waiting', 'answered'],
        ['TX', 'TX'],
      ],
    );
  });
});
