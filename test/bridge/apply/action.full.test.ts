import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { changeOpenAction } from '../../../src/bridge/domain/applications/action.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { startApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor } from './support/visitor.js';

test("A state's request is linked from the receipt in the language of the page, and is answered once.", async (t) => {
  const service = await startApplyService();
  t.after(() => service.stop());
  const { applicationId, applicationUrl } = await service.createSession();
  await placeAt(service, { applicationUrl }, 'receipt');
  const visitor = createVisitor();

  async function ask(reason: string, actionUrl?: string) {
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason, actionUrl });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    return body.states.find(({ state }) => state === 'TX')?.actionUrl ?? '';
  }

  const elsewhere = 'https://department.example/case?id=5';
  equal(await ask('', elsewhere), elsewhere);
  const { html } = await visitor.get(`${applicationUrl}/receipt?lang=es`);
  match(html, /<a class="button" href="https:\/\/department\.example\/case\?id=5" target="_blank" rel="noreferrer"/);
  // The script only sends links of the bridge to the element, which receives others from the server.
  ok(!html.includes('data-action-state'));
  await decideState(service.context, { applicationId, state: 'TX', status: 'pending_review' });

  const actionUrl = await ask('Send the court papers.');
  match((await visitor.get(applicationUrl)).html, /Send the court papers\./);
  ok((await visitor.get(`${applicationUrl}/receipt?lang=es`)).html.includes(`href="${actionUrl}?lang=es"`));
  equal((await visitor.get(`${actionUrl}?lang=es`)).heading, 'Texas necesita algo de usted');
  const page = await visitor.get(actionUrl);
  equal(page.heading, 'Texas needs something from you');
  match(page.html, /Send the court papers\./);
  match(page.headers.get('content-security-policy') ?? '', /frame-ancestors http:\/\/localhost:5999/);

  equal((await visitor.get(`${actionUrl}/documents`)).heading, page.heading, 'a reload after a refused document');

  const incomplete = await visitor.post(actionUrl, { answer: 'My long answer' });
  equal(incomplete.status, 422);
  match(incomplete.html, /Confirm that your answer is true and complete/);
  match(incomplete.html, /My long answer/);
  ok(!(await visitor.get(actionUrl)).html.includes('My long answer'));
  const fields = { answer: 'A unique explanation', confirm: 'yes' };
  const [sent] = await Promise.all([visitor.post(actionUrl, fields), visitor.post(actionUrl, fields)]);
  equal(sent.heading, 'Your answer was sent');
  match(sent.html, /status=submitted/);
  const answers = await service.context.db.selectFrom('applicationAction').selectAll().execute();
  equal(answers.length, 1);
  ok(!JSON.stringify(answers).includes('unique'));

  const second = await ask('Second.');
  equal((await visitor.get(actionUrl)).heading, 'Your answer was sent');
  match((await visitor.get(second)).html, /Second\./);
  await decideState(service.context, { applicationId, state: 'TX', status: 'denied' });
  equal((await visitor.get(second)).status, 404);
  equal((await visitor.post(second, fields)).status, 404);
  // A page that found it open may come later.
  const ended = second.split('/').at(-1) ?? '';
  equal(await changeOpenAction(service.context, ended, () => Promise.reject(new Error('It has ended.'))), undefined);
  match((await visitor.get(actionUrl)).html, /Status now: Denied/);
});
