import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '../../../src/contract/index.js';
import { ApiError } from '../../../src/bridge/domain/errors/api-error.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { claimFiling, listFilings, markFiled } from '../../../src/bridge/domain/filings/filings.js';
import { countOpenFilings } from '../../../src/bridge/store/filings/filing-store.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor } from '../apply/support/visitor.js';
import { until } from '../until.js';

const dana = 'operator:dana';

describe('an application of test mode that people file for training', () => {
  let service: ApplyService;
  let submitted: string[] = [];
  before(async () => {
    service = await startApplyService({
      environment: { BRIDGE_TEST_FILING: 'CA,NY' },
      filingGateway: {
        kind: 'automatic',
        serves: () => true,
        submit({ state }) {
          submitted.push(state);
          return Promise.resolve({ status: 'filed', reference: 'real' });
        },
        lookUp: () => Promise.resolve({ status: 'pending' }),
      },
    });
  });
  after(() => service.stop());

  const read = async (applicationId: string) =>
    ((await service.call('GET', `/v1/applications/${applicationId}`)).body as Application).states;
  const stateOf = async (applicationId: string, state: string) =>
    (await read(applicationId)).find((each) => each.state === state);

  /** Submits for Texas, with a simulated department that approves at once, and for California. */
  async function submit() {
    submitted = [];
    const session = await service.createSession({ states: ['TX', 'CA'] });
    await placeAt(service, session, 'receipt', { ssn: '900-11-0001' });
    return session;
  }

  it('Waits in the queue for the states of BRIDGE_TEST_FILING, while simulated departments decide the others, and no gateway submits it.', async () => {
    const { applicationId, applicationUrl } = await submit();
    await until(async () => (await stateOf(applicationId, 'TX'))?.status === 'approved');
    const { context } = service;
    const queued = await listFilings(context, { scope: 'all', applicationId, limit: 10 });
    deepEqual(
      queued.map(({ state, status, mode }) => [state, status, mode]),
      [['CA', 'waiting', 'test']],
    );
    equal((await stateOf(applicationId, 'CA'))?.reason, 'not_filed');
    const receipt = (await createVisitor().get(`${applicationUrl}/receipt`)).html;
    equal(receipt.includes('people who practise'), true);

    const filing = { applicationId, state: 'CA', actor: dana } as const;
    await claimFiling(context, filing);
    const approve = () => decideState(context, { ...filing, status: 'approved' });
    await rejects(approve(), (error) => error instanceof ApiError && error.failure === 'invalid_transition');
    await markFiled(context, { ...filing, reference: 'CA-1' });
    await approve();
    equal((await stateOf(applicationId, 'CA'))?.status, 'approved');
    equal((await listFilings(context, { scope: 'all', applicationId, limit: 1 }))[0]?.status, 'answered');
    // An alarm about live filings must not count what people practise with.
    equal((await countOpenFilings(context.db)).waiting, 0);
    deepEqual(submitted, []);
  });

  it('Returns to the queue when the user has answered a request, and is not decided by a simulated department.', async () => {
    const { applicationId } = await submit();
    const { context } = service;
    const filing = { applicationId, state: 'CA', actor: dana } as const;
    await markFiled(context, { ...filing, reference: 'CA-1' });
    await decideState(context, { ...filing, status: 'requires_action', reason: 'A certificate, please.' });
    const { actionUrl = '' } = (await stateOf(applicationId, 'CA')) ?? {};
    await createVisitor().post(actionUrl, { answer: 'I completed the course in May.', confirm: 'yes' });
    equal((await stateOf(applicationId, 'CA'))?.status, 'pending_review');
    const [row] = await listFilings(context, { scope: 'all', applicationId, limit: 1 });
    deepEqual([row?.status, row?.serial], ['waiting', 1]);
  });

  it('Is decided by the test helper of the partner without a filing.', async () => {
    const { applicationId } = await submit();
    const helper = `/v1/test_helpers/applications/${applicationId}/states/CA`;
    const { status } = await service.call('POST', helper, { body: { status: 'denied', reason: 'A test.' } });
    equal(status, 200);
    const [row] = await listFilings(service.context, { scope: 'all', applicationId, limit: 1 });
    equal(row?.status, 'answered');
  });
});
