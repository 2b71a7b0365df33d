import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '../../../src/contract/index.js';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
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
    await walkTo(createVisitor(), session, 'receipt');
    return { ...session, actionUrl: await ask(session.applicationId, { reason }) };
  }

  async function ask(applicationId: string, { reason, actionUrl }: { reason: string; actionUrl?: string }) {
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason, actionUrl });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    const asked = (body as Application).states.find(({ state }) => state === 'TX');
    ok(asked?.actionUrl);
    return asked.actionUrl;
  }

  it("A state's request is linked from the receipt with the department's words, in the language of the page.", async () => {
    const { applicationUrl, applicationId, actionUrl } = await askedBy('Send the court papers.');
    const visitor = createVisitor();
    match((await visitor.get(applicationUrl)).html, /Send the court papers\./);
    const receipt = await visitor.get(`${applicationUrl}/receipt?lang=es`);
    ok(receipt.html.includes(`href="${actionUrl}?lang=es"`));
    equal((await visitor.get(`${actionUrl}?lang=es`)).heading, 'Texas necesita algo de usted');
    equal((await visitor.get(actionUrl)).heading, 'Texas needs something from you');

    await decideState(service.context, { applicationId, state: 'TX', status: 'pending_review' });
    const elsewhere = 'https://department.example/case?id=5';
    equal(await ask(applicationId, { reason: '', actionUrl: elsewhere }), elsewhere);
    const { html } = await visitor.get(`${applicationUrl}/receipt?lang=es`);
    match(html, /<a class="button" href="https:\/\/department\.example\/case\?id=5" target="_blank" rel="noreferrer"/);
    // The script only sends links of the bridge to the element, which receives others from the
    // server.
    ok(!html.includes('data-action-state'));
  });

  it("A state's request is answered once; afterwards its link says so, and a second request has a new link.", async () => {
    const { applicationId, actionUrl } = await askedBy('First.');
    const visitor = createVisitor();
    const page = await visitor.get(actionUrl);
    match(page.html, /First\./);
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

    const second = await ask(applicationId, { reason: 'Second.' });
    const again = await visitor.get(actionUrl);
    equal(again.heading, 'Your answer was sent');
    ok(!again.html.includes('unique'));
    match((await visitor.get(second)).html, /Second\./);
    await decideState(service.context, { applicationId, state: 'TX', status: 'denied' });
    equal((await visitor.get(second)).status, 404);
    equal((await visitor.post(second, fields)).status, 404);
    match((await visitor.get(actionUrl)).html, /Status now: Denied/);
  });
});
