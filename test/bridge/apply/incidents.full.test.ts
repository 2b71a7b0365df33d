import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readableAnswers } from '../../../src/bridge/catalogue/answers.js';
import { missingDocuments } from '../../../src/bridge/domain/applications/background.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import { type ApplyService, startApplyService } from './support/service.js';
import { placeAt, tokenOf } from './support/shortcuts.js';
import { addDocuments, createVisitor, noToAll } from './support/visitor.js';
import { incident, yesTo } from './support/yes-answers.js';

describe('several incidents below one yes', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** Posts the page of the criminal questions of a new application, all "no" but these. */
  async function answer(fields: Record<string, string>, language = 'en') {
    const session = await service.createSession();
    await placeAt(service, session, 'background');
    const [criminal] = noToAll(session);
    const url = `${session.applicationUrl}${criminal?.path ?? ''}?lang=${language}`;
    const page = await createVisitor().post(url, { ...criminal?.fields, ...fields });
    return { ...session, page };
  }

  it('A user tells two incidents, and each is in the answers, named and in order.', async () => {
    const second = incident(2, 'misdemeanor', { charge: 'Trespass' });
    const { applicationId, applicationUrl } = await answer({
      ...yesTo('misdemeanor', { charge: 'Speeding' }),
      ...second,
    });
    const answers = await service.answersOf(applicationId);
    deepEqual(
      answers['misdemeanor']?.incidents.map(({ charge }) => charge),
      ['Speeding', 'Trespass'],
    );
    const session = await findSession(service.context, tokenOf(applicationUrl));
    ok(session?.phase === 'open');
    for (const [language, name] of [
      ['en', 'Incident'],
      ['es', 'Incidente'],
    ] as const) {
      const [first] = readableAnswers(session.pinned, session.application, answers, language);
      const charges = first?.details.filter(({ value }) => ['Speeding', 'Trespass'].includes(value)) ?? [];
      ok(charges[0]?.label.startsWith(`${name} 1: `) && charges[1]?.label.startsWith(`${name} 2: `), language);
    }
    deepEqual(answers['felony']?.incidents, [], 'a no has no incident');
  });

  it('Each incident requires its own document.', async () => {
    const { applicationUrl } = await answer({ ...yesTo('felony'), ...incident(2, 'felony'), ...incident(3, 'felony') });
    const session = await findSession(service.context, tokenOf(applicationUrl));
    ok(session?.phase === 'open');
    deepEqual(await missingDocuments(service.context, service.context.db, session), [
      { followUp: 'courtDocument', count: 3 },
    ]);
  });

  it('What is missing is counted by kind, so that no document tells which question was answered with yes.', async () => {
    const { applicationUrl } = await answer({ ...yesTo('felony'), ...incident(2, 'felony') });
    await addDocuments(applicationUrl, ['misdemeanor/courtDocument']);
    const session = await findSession(service.context, tokenOf(applicationUrl));
    ok(session?.phase === 'open');
    deepEqual(await missingDocuments(service.context, service.context.db, session), [
      { followUp: 'courtDocument', count: 1 },
    ]);
    await addDocuments(applicationUrl, ['child_support_warrant/paymentProof', 'other']);
    deepEqual(await missingDocuments(service.context, service.context.db, session), [
      { followUp: 'courtDocument', count: 1 },
    ]);
    await addDocuments(applicationUrl, ['felony/courtDocument']);
    deepEqual(await missingDocuments(service.context, service.context.db, session), []);
  });

  it('The page of documents offers every question and incident, whatever the answers are.', async () => {
    const told = await answer({ ...yesTo('felony'), ...incident(2, 'felony') });
    const untold = await answer({});
    const choices = async ({ applicationUrl }: { applicationUrl: string }) => {
      const { html } = await createVisitor().get(`${applicationUrl}/background/documents`);
      return [...html.matchAll(/<option value="([^"]*)">([^<]*)</g)].map(([, value, name]) => `${value} ${name}`);
    };
    const offered = await choices(told);
    ok(offered.includes('felony/courtDocument 1b: Court papers'));
    const { html } = await createVisitor().get(`${told.applicationUrl}/background/criminal`);
    match(html, /<legend>\s*1b\. Have you ever been convicted of a felony/);
    ok(offered.includes('5 Incident 5'));
    deepEqual(await choices(untold), offered);
  });

  it('An incident that was left out counts as none, and one that is half told is named in the error.', async () => {
    const { applicationId } = await answer({ ...yesTo('felony'), ...incident(4, 'felony', { charge: 'Perjury' }) });
    const { felony } = await service.answersOf(applicationId);
    deepEqual(
      felony?.incidents.map(({ charge }) => charge),
      ['Somewhere in Ohio', 'Perjury'],
    );
    const half = await answer({ ...yesTo('felony'), 'felony.2.charge': 'Perjury' }, 'es');
    equal(half.page.status, 422);
    match(half.page.html, /href="#felony-yes">Incidente 2: /);
    ok(!half.page.html.includes('Perjury'), 'no answer is sent back');
    ok(!('felony' in (await service.answersOf(half.applicationId))));
  });

  it('A question takes five incidents and ignores fields after them.', async () => {
    const { applicationId } = await answer({
      ...yesTo('felony'),
      ...Object.fromEntries([2, 3, 4, 5, 6].flatMap((number) => Object.entries(incident(number, 'felony')))),
    });
    equal((await service.answersOf(applicationId))['felony']?.incidents.length, 5);
  });

  it('A question about one fact takes no second one.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    const { html } = await createVisitor().get(`${applicationUrl}/background/criminal`);
    ok(html.includes('name="misdemeanor.2.charge"'));
    ok(html.includes('name="misdemeanor.5.charge"'));
    ok(!html.includes('felony_consent.2'));
  });
});
