import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, noToAll, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

describe('the answers of an earlier application', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  it('An old page in another tab does not replace newer answers with those of an earlier application.', async () => {
    const userId = 'usr_two_tabs';
    await walkTo(createVisitor(), await service.createSession({ userId }), 'receipt');
    const { applicationUrl, applicationId } = await service.createSession({ userId });
    const [first, second] = [createVisitor(), createVisitor()];
    await walkTo(first, { applicationUrl }, 'identity');
    const offer = await first.post(`${applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
    match(offer.heading, /Use your earlier answers/);

    await second.post(`${applicationUrl}/background/earlier`, { reuse: 'no' });
    const [criminal] = noToAll({ applicationUrl });
    const newAnswer = { answer: 'yes', explanation: 'Since then.' };
    const felony = async () => {
      const { answer, details } = (await service.answersOf(applicationId))['felony'] ?? {};
      return { answer, explanation: details?.['explanation'] };
    };
    await second.post(`${applicationUrl}${criminal?.path ?? ''}`, {
      ...criminal?.fields,
      ...yesTo('felony', newAnswer),
    });
    deepEqual(await felony(), newAnswer);

    const reused = await first.post(offer.url, { reuse: 'yes' });
    equal(reused.status, 200);
    const answers = await service.answersOf(applicationId);
    deepEqual(await felony(), newAnswer);
    deepEqual(answers['delinquent_taxes'], { answer: 'no', details: {} }, 'open questions are filled in');
  });
});
