import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { addDocuments, createVisitor, kindsRequired, noToAll, signAndPay, typed, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const ssn = '900-55-0003';
const ssnDigits = ssn.replaceAll('-', '');
const story = 'zanzibar parking incident';
const secrets = [ssn, ssnDigits, story];

/** A yes with all details. */
const confession = yesTo('misdemeanor', { court: 'Zanzibar county', explanation: `It was a ${story}.` });

describe('SSN and answers are write-only', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  function assertNoSecret(text: string, where: string): void {
    for (const secret of secrets) ok(!text.includes(secret), `${where} contains secret input`);
  }

  it('The SSN and the answers are on no page, in no row and in no log line.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ userId: 'usr_private' });
    const visitor = createVisitor();
    const own = { identity: { ssn }, background: confession };
    await walkTo(visitor, { applicationUrl, isSlow: true }, 'review', own);
    for (const path of [
      'profile',
      'identity',
      'background',
      'background/criminal',
      'disclosures',
      'payment',
      'review',
    ]) {
      await visitor.get(`${applicationUrl}/${path}`);
    }
    await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName: 'Nobody' });
    await signAndPay(visitor, applicationUrl);
    await visitor.get(applicationUrl);
    // A second application of the same user, prefilled from the first.
    const again = await service.createSession({ userId: 'usr_private' });
    equal(again.prefilled.ssn, true);
    await walkTo(visitor, { applicationUrl: again.applicationUrl }, 'identity');
    const reused = await visitor.post(`${again.applicationUrl}/identity`, {
      use: 'earlier',
      ssnLastFour: ssn.slice(-4),
    });
    match(reused.heading, /Use your earlier answers/);
    await visitor.post(`${again.applicationUrl}/background/earlier`, { reuse: 'yes' });
    await visitor.get(`${again.applicationUrl}/background/criminal`);

    for (const page of visitor.seen) assertNoSecret(page.html, page.url);
    // Not even the choice: no radio button of a question is checked.
    for (const { html } of visitor.seen) ok(!/value="(yes|no)"[^>]*checked/.test(html));
    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
      service.context.db,
    );
    ok(tables.length > 10);
    for (const { name } of tables) {
      const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(
        service.context.db,
      );
      for (const { line } of rows) assertNoSecret(line, name);
    }
    assertNoSecret(service.logged.join('\n'), 'the log');
    const read = await service.call('GET', `/v1/applications/${applicationId}`);
    assertNoSecret(JSON.stringify(read.body), 'operation 19');
  });

  it('The error about an SSN does not repeat it.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    await placeAt(service, { applicationUrl }, 'identity');
    for (const [wrong, message] of [
      ['900-55-00', 'Enter your SSN'],
      [`${ssn}1`, 'Enter your SSN'],
      ['000-55-0003', 'This SSN is not valid'],
    ] as const) {
      const page = await visitor.post(`${applicationUrl}/identity`, { ssn: wrong });
      equal(page.status, 422);
      match(page.html, new RegExp(message));
      ok(!page.html.includes(wrong));
    }
  });

  it('SSNs that were never issued are accepted in test mode only.', async () => {
    const live = await service.createSession({ paymentMethod: 'partner_billing' }, { mode: 'live' });
    const visitor = createVisitor();
    await placeAt(service, live, 'identity');
    equal((await visitor.post(`${live.applicationUrl}/identity`, typed.identity)).status, 422);
  });

  it('Complete answers are saved, and the others are asked again, without showing any.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    await placeAt(service, { applicationUrl }, 'background');
    const page = await visitor.post(`${applicationUrl}/background/criminal`, {
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

  it('The answers of an earlier application are used only for the same user, within 90 days.', async () => {
    const first = await service.createSession({ userId: 'usr_first' });
    await walkTo(createVisitor(), { applicationUrl: first.applicationUrl }, 'receipt', { background: confession });
    const visitor = createVisitor();
    const other = await service.createSession({ userId: 'usr_other' });
    match((await walkTo(visitor, { applicationUrl: other.applicationUrl }, 'background')).heading, /Criminal history/);
    // New York asks more questions, one of them below the one about child support. Only those are
    // left.
    const again = await service.createSession({ userId: 'usr_first', states: ['TX', 'CA', 'NY'] });
    await placeAt(service, again, 'identity');
    await visitor.post(`${again.applicationUrl}/identity`, { use: 'earlier', ssnLastFour: '0004' });
    const left = await visitor.post(`${again.applicationUrl}/background/earlier`, { reuse: 'yes' });
    ok(left.url.endsWith('/background/family'), left.url);
    let page = await visitor.post(left.url, { child_support_behind: 'no' });
    while (page.url.includes('/background/')) {
      if (page.url.endsWith('/documents')) await addDocuments(again.applicationUrl, kindsRequired(confession));
      const ids = [...page.html.matchAll(/id="(ny_\w+)-no"/g)].map(([, id]) => [id ?? '', 'no']);
      page = await visitor.post(page.url, Object.fromEntries(ids) as Record<string, string>);
      equal(page.status, 200);
    }
    ok(page.url.endsWith('/disclosures'), page.url);
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
