import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '../../../src/contract/index.js';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';

describe("a state's request after the submission", () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** Submits an application and lets Texas request an action. */
  async function askedBy(reason: string) {
    const session = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl: session.applicationUrl }, 'receipt');
    const application = await decide(session.applicationId, 'requires_action', reason);
    const actionUrl = application.states.find(({ state }) => state === 'TX')?.actionUrl;
    ok(actionUrl);
    return { ...session, actionUrl };
  }

  async function decide(applicationId: string, status: string, reason?: string): Promise<Application> {
    const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
    const answer = await service.call('POST', path, { body: { status, ...(reason && { reason }) } });
    equal(answer.status, 200);
    return answer.body;
  }

  const statusOf = async (applicationId: string) => {
    const answer = await service.call('GET', `/v1/applications/${applicationId}`);
    return (answer.body as Application).states.find(({ state }) => state === 'TX')?.status;
  };

  it("A state's request is shown in the language of the receipt.", async () => {
    const { applicationUrl, actionUrl } = await askedBy('Send the court papers.');
    const visitor = createVisitor();
    const receipt = await visitor.get(`${applicationUrl}/receipt?lang=es`);
    ok(receipt.html.includes(`href="${actionUrl}?lang=es"`));
    const page = await visitor.get(`${actionUrl}?lang=es`);
    equal(page.heading, 'Texas necesita algo de usted');
    equal((await visitor.get(actionUrl)).heading, 'Texas needs something from you');
  });

  it("A state's request is linked from the receipt with the department's words, in a new window.", async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'receipt');
    const actionUrl = 'https://department.example/case?id=5';
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', actionUrl });
    const { html } = await createVisitor().get(`${applicationUrl}/receipt?lang=es`);
    match(html, /<a class="button" href="https:\/\/department\.example\/case\?id=5" target="_blank" rel="noreferrer"/);
    // The script only sends links of the bridge to the element, which receives others from the
    // server.
    ok(!html.includes('data-action-state'));
  });

  it("A state's request is answered once; afterwards its link says so, and the state continues.", async () => {
    const { applicationId, actionUrl } = await askedBy('Send the court papers.');
    const visitor = createVisitor();
    const page = await visitor.get(actionUrl);
    equal(page.heading, 'Texas needs something from you');
    match(page.html, /Send the court papers\./);
    match(page.headers.get('content-security-policy') ?? '', /frame-ancestors http:\/\/localhost:5999/);
    const incomplete = await visitor.post(actionUrl, { answer: 'My long answer' });
    equal(incomplete.status, 422);
    match(incomplete.html, /Confirm that your answer is true and complete/);
    match(incomplete.html, /My long answer/);
    ok(!(await visitor.get(actionUrl)).html.includes('My long answer'));

    const fields = { answer: 'A unique explanation', confirm: 'yes' };
    const [sent] = await Promise.all([visitor.post(actionUrl, fields), visitor.post(actionUrl, fields)]);
    equal(sent.heading, 'Your answer was sent');
    match(sent.html, /status=submitted/);
    const answers = await service.context.db
      .selectFrom('application_action')
      .selectAll()
      .where('application_id', '=', applicationId)
      .execute();
    equal(answers.length, 1);
    ok(!JSON.stringify(answers).includes('unique'));
    ok(!(await visitor.get(actionUrl)).html.includes('unique'));
    // The simulated department approves after a delay.
    await until(
      () => statusOf(applicationId),
      (status) => status === 'approved',
    );
    match((await visitor.get(actionUrl)).html, /Status now: Approved/);
  });

  it("A state's request can be reached from the receipt as long as the state waits.", async () => {
    const { applicationUrl, actionUrl } = await askedBy('More, please.');
    const receipt = await createVisitor().get(applicationUrl);
    ok(receipt.html.includes(actionUrl));
    match(receipt.html, /More, please\./);
  });

  it("The link of a state's request is dead once the department has decided.", async () => {
    const { applicationId, actionUrl } = await askedBy('Anything.');
    await decide(applicationId, 'denied');
    const visitor = createVisitor();
    equal((await visitor.get(actionUrl)).status, 404);
    equal((await visitor.post(actionUrl, { answer: 'late', confirm: 'yes' })).status, 404);
    equal(await statusOf(applicationId), 'denied');
  });

  it('A second request of a state has a new link, and the first link stays used.', async () => {
    const { applicationId, actionUrl } = await askedBy('First.');
    const visitor = createVisitor();
    await visitor.post(actionUrl, { answer: 'done', confirm: 'yes' });
    const again = await decide(applicationId, 'requires_action', 'Second.');
    const second = again.states.find(({ state }) => state === 'TX')?.actionUrl ?? '';
    ok(second && second !== actionUrl);
    equal((await visitor.get(actionUrl)).heading, 'Your answer was sent');
    match((await visitor.get(second)).html, /Second\./);
  });
});
