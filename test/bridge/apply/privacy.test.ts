import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, noToAll, signAndPay, typed, walkTo, type VisitedPage } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const ssn = '900-55-0003';
const ssnDigits = ssn.replaceAll('-', '');
const story = 'zanzibar parking incident';
/** Shown again on the pages of the profile only. */
const profile = { otherNames: 'Numbat Othername', employer: 'Bilby Employer', businessPhone: '512 555 7713' };
const secrets = [ssn, ssnDigits, story];

/** A yes with all details. */
const confession = yesTo('misdemeanor', { court: 'Zanzibar county', explanation: `It was a ${story}.` });

describe('SSN and answers are write-only', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  function assertNoSecret(text: string, where: string, hidden = secrets): void {
    for (const secret of hidden) ok(!text.includes(secret), `${where} contains secret input`);
  }

  it('The SSN and the answers are on no page, in no row, in no log line and in no response to the partner.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ userId: 'usr_private' });
    const visitor = createVisitor();
    const own = { profile, identity: { ssn }, background: confession };
    await walkTo(visitor, { applicationUrl, isSlow: true }, 'review', own);
    for (const path of ['profile', 'identity', 'background/criminal', 'disclosures', 'payment', 'review'])
      await visitor.get(`${applicationUrl}/${path}`);
    await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName: 'Nobody' });
    await signAndPay(visitor, applicationUrl);
    // A second application of the same user, prefilled from the first.
    const again = await service.createSession({ userId: 'usr_private' });
    equal(again.prefilled.ssn, true);
    await placeAt(service, again, 'identity');
    const stored = { use: 'earlier', ssnLastFour: ssn.slice(-4) };
    const reused = await visitor.post(`${again.applicationUrl}/identity`, stored);
    match(reused.heading, /Use your earlier answers/);
    await visitor.post(`${again.applicationUrl}/background/earlier`, { reuse: 'yes' });
    await visitor.get(`${again.applicationUrl}/background/criminal`);

    for (const page of visitor.seen) assertNoSecret(page.html, page.url);
    // Not even the choice: no radio button of a question is checked.
    for (const { html } of visitor.seen) ok(!/value="(yes|no)"[^>]*checked/.test(html));
    ok(visitor.seen.some(({ html }) => html.includes(profile.employer)));
    const { db } = service.context;
    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db);
    ok(tables.length > 10);
    const hidden = [...secrets, ...Object.values(profile)];
    for (const { name } of tables) {
      const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db);
      for (const { line } of rows) assertNoSecret(line, name, hidden);
    }
    assertNoSecret(service.logged.join('\n'), 'the log', hidden);
    const read = await service.call('GET', `/v1/applications/${applicationId}`);
    assertNoSecret(JSON.stringify(read.body), 'operation 19', hidden);
  });

  it('The error about an SSN does not repeat it, and live mode refuses one that was never issued.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'identity');
    for (const [wrong, message] of [
      ['900-55-00', 'Enter your SSN'],
      ['000-55-0003', 'never a real SSN'],
    ] as const) {
      const page = await createVisitor().post(`${applicationUrl}/identity`, { ssn: wrong });
      equal(page.status, 422);
      match(page.html, new RegExp(message));
      ok(!page.html.includes(wrong));
    }
    const live = await service.createSession({ paymentMethod: 'partner_billing' }, { mode: 'live' });
    await placeAt(service, live, 'identity');
    equal((await createVisitor().post(`${live.applicationUrl}/identity`, typed.identity)).status, 422);
  });

  it('Complete answers are saved, and the others are asked again, without showing any.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    const page = await createVisitor().post(`${applicationUrl}/background/criminal`, {
      ...yesTo('felony', { court: 'Lucas county', explanation: '' }),
      ...confession,
    });
    equal(page.status, 422);
    assertNoSecret(page.html, 'the page with errors');
    ok(!page.html.includes('Lucas'));
    equal(page.html.match(/class="kept"/g)?.length, 1);
    match(page.html, /href="#felony-yes">What happened, in your own words: fill this in\. Answer again/);
    match(page.html, /href="#military_offense-yes">Choose yes or no/);
  });

  it('A detail of the wrong type is refused at its question in both languages, and the earlier valid one stays.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    const pages = noToAll({ applicationUrl });
    const money = pages.findIndex(({ fields }) => 'overdue_money' in fields);
    const visitor = createVisitor();
    for (const { path, fields } of pages.slice(0, money)) await visitor.post(`${applicationUrl}${path}`, fields);
    const { path = '', fields = {} } = pages[money] ?? {};
    const url = `${applicationUrl}${path}`;
    await visitor.post(url, { ...fields, ...yesTo('overdue_money', { amount: '1,250.50' }) });
    const saved = await service.answersOf(applicationId);
    equal(saved['overdue_money']?.incidents[0]?.['amount'], '1250.50');
    for (const [field, language, message] of [
      ['date.year', 'en', /Date: enter a day that exists/],
      ['date.month', 'es', /Fecha: escriba un día que exista/],
      ['amount', 'en', /Amount: enter an amount/],
      ['paid', 'es', /: elija una opción de la lista/],
    ] as const) {
      const given = { ...yesTo('overdue_money'), [`overdue_money.${field}`]: 'banana' };
      const page = await visitor.post(`${url}?lang=${language}`, given);
      equal(page.status, 422);
      match(errorAt(page, 'overdue_money'), message);
      equal(errorAt(page, 'delinquent_taxes'), '');
      ok(page.html.includes('href="#overdue_money-yes"'), 'the summary leads to the question');
      ok(!page.html.includes('banana'), 'no answer is sent back');
    }
    deepEqual(await service.answersOf(applicationId), saved);
  });

  it('The answers of an earlier application are used only for the same user, also in another state.', async () => {
    const first = await service.createSession({ userId: 'usr_first' });
    await placeAt(service, first, 'receipt');
    const other = await service.createSession({ userId: 'usr_other' });
    await placeAt(service, other, 'background');
    match((await createVisitor().get(other.applicationUrl)).heading, /Criminal history/);
    // Another state asks the same questions: none is left.
    const again = await service.createSession({ userId: 'usr_first', states: ['TX', 'CA', 'NY'] });
    await placeAt(service, again, 'identity');
    const visitor = createVisitor();
    await visitor.post(`${again.applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
    const left = await visitor.post(`${again.applicationUrl}/background/earlier`, { reuse: 'yes' });
    ok(left.url.endsWith('/disclosures'), left.url);
  });

  it('An old page in another tab does not replace newer answers with those of an earlier application.', async () => {
    const userId = 'usr_two_tabs';
    await placeAt(service, await service.createSession({ userId }), 'receipt');
    const { applicationUrl, applicationId } = await service.createSession({ userId });
    const [first, second] = [createVisitor(), createVisitor()];
    await placeAt(service, { applicationUrl }, 'identity');
    const offer = await first.post(`${applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
    match(offer.heading, /Use your earlier answers/);

    await second.post(`${applicationUrl}/background/earlier`, { reuse: 'no' });
    const [criminal] = noToAll({ applicationUrl });
    const newAnswer = { answer: 'yes', explanation: 'Since then.' };
    const felony = async () => {
      const { answer, incidents } = (await service.answersOf(applicationId))['felony'] ?? {};
      return { answer, explanation: incidents?.[0]?.['explanation'] };
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
    deepEqual(answers['delinquent_taxes'], { answer: 'no', incidents: [] }, 'open questions are filled in');
  });
});

/** The message in the fieldset of a question; "" without one. */
function errorAt({ html }: VisitedPage, question: string): string {
  const fieldset = html.split('<fieldset').find((part) => part.includes(`id="${question}-yes"`)) ?? '';
  return /<p class="error"[^>]*>([\s\S]*?)<\/p>/.exec(fieldset)?.[1]?.replace(/<[^>]*>/g, '') ?? '';
}
