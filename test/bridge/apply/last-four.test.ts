import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { copyIdentityCheck } from '../../../src/bridge/domain/applications/identity.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { boxesOf, createVisitor, noToAll, typed, walkTo, type VisitedPage, signAndPay } from './support/visitor.js';

const lastFour = '0004';
const wrong = '0005';
const another = { use: 'typed', ssn: '900-22-0009' };

describe('the last four digits of a stored SSN', () => {
  let service: ApplyService;
  let now = Date.now();
  let users = 0;
  before(async () => {
    service = await startApplyService({ clock: () => new Date(now) });
  });
  after(() => service.stop());

  const nextUser = () => `usr_digits_${String((users += 1))}`;

  /** A user who has submitted once, at the identity step of another application. */
  async function comeBack() {
    const userId = nextUser();
    await walkTo(createVisitor(), await service.createSession({ userId }), 'receipt');
    const { applicationUrl } = await service.createSession({ userId });
    const page = await walkTo(createVisitor(), { applicationUrl }, 'identity');
    return { applicationUrl, page, type: (fields: object) => typeInto(applicationUrl, fields) };
  }

  /** A user at a step, and another link to the same application. */
  async function resume(until: 'background' | 'review' = 'review') {
    const userId = nextUser();
    const first = await service.createSession({ userId });
    await walkTo(createVisitor(), first, until);
    const second = await service.createSession({ userId });
    equal(second.applicationId, first.applicationId);
    const at = (path: string) => createVisitor().get(second.applicationUrl + (path && `/${path}`));
    return { first, second, at, type: (fields: object) => typeInto(second.applicationUrl, fields) };
  }

  const typeInto = (applicationUrl: string, fields: object) =>
    createVisitor().post(`${applicationUrl}/identity`, { ...fields });

  const isAsked = ({ heading, html }: VisitedPage) => {
    equal(heading, 'Your Social Security number');
    match(html, /name="ssnLastFour"/);
  };

  it('The last four digits are required before a stored SSN is used, and no page shows them.', async () => {
    const { page, type } = await comeBack();
    isAsked(page);
    for (const digits of [undefined, '', '12', 'abcd', '00004']) {
      const refused = await type({ use: 'earlier', ...(digits === undefined ? {} : { ssnLastFour: digits }) });
      equal(refused.status, 422);
      match(refused.html, /href="#ssnLastFour">Enter the last four digits/);
    }
    const refused = await type({ use: 'earlier', ssnLastFour: wrong });
    equal(refused.status, 422);
    match(refused.html, /href="#ssnLastFour">These are not the last four digits/);
    match(refused.title, /^Error: /);
    ok(!refused.html.includes(wrong));
    const used = await type({ use: 'earlier', ssnLastFour: lastFour });
    equal(used.heading, 'Use your earlier answers?');
  });

  it('Earlier answers are offered only after the last four digits or the same SSN; with another SSN they are not.', async () => {
    const same = await comeBack();
    equal((await same.type({ use: 'typed', ...typed.identity })).heading, 'Use your earlier answers?');
    const other = await comeBack();
    match((await other.type(another)).heading, /Criminal history/);
    for (const path of ['background', 'background/earlier']) {
      match((await createVisitor().get(`${other.applicationUrl}/${path}`)).heading, /Criminal history/);
    }
    await createVisitor().post(`${other.applicationUrl}/background/earlier`, { reuse: 'yes' });
    match((await createVisitor().get(`${other.applicationUrl}/background`)).heading, /Criminal history/);
  });

  it('After five wrong tries, the stored SSN cannot be used any more, even with the right digits.', async () => {
    const { applicationUrl, type } = await comeBack();
    for (let tries = 1; tries < 5; tries += 1) isAsked(await type({ use: 'earlier', ssnLastFour: wrong }));
    const ended = await type({ use: 'earlier', ssnLastFour: wrong });
    match(ended.html, /href="#ssn">The last four digits were wrong five times/);
    match(ended.html, /Your saved data cannot be used/);
    for (const page of [await type({ use: 'earlier', ssnLastFour: lastFour }), ended]) {
      equal(page.status, 422);
      ok(!page.html.includes('ssnLastFour'));
    }
    const spanish = await createVisitor().get(`${applicationUrl}/identity?lang=es`);
    match(spanish.html, /Sus datos guardados no se pueden usar/);
    match((await type({ use: 'typed', ...typed.identity })).heading, /Criminal history/);
    match((await createVisitor().get(`${applicationUrl}/background/earlier`)).heading, /Criminal history/);
  });

  it('Concurrent guesses of the digits count, and so do guesses of whole SSNs.', async () => {
    const guessing = await comeBack();
    await Promise.all(Array.from({ length: 12 }, () => guessing.type({ use: 'earlier', ssnLastFour: wrong })));
    ok(!(await guessing.type({ use: 'earlier', ssnLastFour: lastFour })).html.includes('ssnLastFour'));
    const typing = await comeBack();
    for (let tries = 0; tries < 5; tries += 1) await typing.type(another);
    match((await typing.type({ use: 'typed', ...typed.identity })).heading, /Criminal history/);
  });

  it('Wrong digits are counted per user: a new session gives no further tries on that day.', async () => {
    const { applicationUrl: first, type } = await comeBack();
    const userId = `usr_digits_${String(users)}`;
    for (let tries = 0; tries < 3; tries += 1) await type({ use: 'earlier', ssnLastFour: wrong });
    // In another kind of application too, which has a separate row and lock.
    const other = await service.createSession({ userId, licenseType: 'property_casualty' });
    await walkTo(createVisitor(), { applicationUrl: other.applicationUrl }, 'identity');
    const guess = (applicationUrl: string) => typeInto(applicationUrl, { use: 'earlier', ssnLastFour: wrong });
    await Promise.all([1, 2, 3].flatMap(() => [guess(first), guess(other.applicationUrl)]));
    const { rows } = await sql<{ wrong: number }>`
      select wrong_digits_count as wrong from applicant where user_id = ${userId}`.execute(service.context.db);
    equal(rows[0]?.wrong, 5);
    const identityOf = async () =>
      createVisitor().get(`${(await service.createSession({ userId })).applicationUrl}/identity`);
    ok(!(await identityOf()).html.includes('ssnLastFour'));
    const refused = await type({ use: 'earlier', ssnLastFour: lastFour });
    equal(refused.status, 422);
    // A day later, without moving the clock, because the partner's token would expire too.
    await sql`update applicant set wrong_digits_since = wrong_digits_since - interval '24 hours'
      where user_id = ${userId}`.execute(service.context.db);
    isAsked(await identityOf());
  });

  it('The digits are required before a new link continues an unfinished application.', async () => {
    const { first, second, at, type } = await resume();
    const pages = ['', 'background', 'background/criminal', 'background/earlier', 'disclosures', 'payment', 'review'];
    for (const path of pages) isAsked(await at(path));
    // A form that is sent without being shown does not ask for them either.
    const posts: [string, Record<string, string | string[]>][] = [
      ['background/criminal', noToAll(second)[0]?.fields ?? {}],
      ['disclosures', { acknowledge: [] }],
      ['payment', typed.payment],
      ['review', typed.review],
      ['identity', { use: 'keep' }],
    ];
    for (const [path, fields] of posts) isAsked(await createVisitor().post(`${second.applicationUrl}/${path}`, fields));
    const { body } = await service.call('GET', `/v1/applications/${first.applicationId}`);
    equal(body.progress.step, 'review');
    isAsked(await type({ use: 'keep', ssnLastFour: wrong }));
    equal((await type({ use: 'keep', ssnLastFour: lastFour })).heading, 'Check your answers and sign');
    const sent = await signAndPay(createVisitor(), second.applicationUrl);
    equal(sent.heading, 'Application submitted');
  });

  it('The digits are not required with the link where the SSN was typed, even after another link was created.', async () => {
    const { first } = await resume();
    equal((await createVisitor().get(first.applicationUrl)).heading, 'Check your answers and sign');
    const page = await createVisitor().get(`${first.applicationUrl}/identity`);
    ok(!page.html.includes('ssnLastFour'));
    ok((await typeInto(first.applicationUrl, { use: 'keep' })).url.includes('/background'));
  });

  it('A user who types the whole SSN again need not type the digits.', async () => {
    const { type } = await resume();
    await type({ use: 'typed', ...typed.identity });
    const { at } = await resume();
    isAsked(await at(''));
  });

  it('After another SSN, all questions are asked again, and the earlier link requires the digits, too.', async () => {
    const { first, second, at, type } = await resume();
    match((await type(another)).heading, /Criminal history/);
    for (const path of ['', 'review', 'background']) match((await at(path)).heading, /Criminal history/);
    isAsked(await createVisitor().get(first.applicationUrl));
    const sent = await signAndPay(createVisitor(), second.applicationUrl);
    match(sent.heading, /Criminal history/);
    const visitor = createVisitor();
    let page = sent;
    for (const { path, fields } of noToAll(second))
      page = await visitor.post(`${second.applicationUrl}${path}`, fields);
    equal(page.heading, 'Disclosures of your states');
    await visitor.post(page.url, { acknowledge: boxesOf(page) });
    equal((await signAndPay(visitor, second.applicationUrl)).heading, 'Application submitted');
  });

  it('Five wrong tries with a new link leave the saved data to the first link.', async () => {
    const { first, at, type } = await resume('background');
    for (let tries = 0; tries < 5; tries += 1) await type({ use: 'keep', ssnLastFour: wrong });
    match((await at('')).html, /wrong five times/);
    match((await createVisitor().get(first.applicationUrl)).heading, /Criminal history/);
    // Even the same SSN counts as a new one here.
    await type({ use: 'typed', ...typed.identity });
    match((await at('')).heading, /Criminal history/);
  });

  it('The digits are not required when an open page continues with a new link while its own link still works.', async () => {
    const { first, second, at } = await resume();
    const ask = () =>
      fetch(`${second.applicationUrl}/renewal`, {
        method: 'POST',
        body: new URLSearchParams({ from: first.applicationUrl.split('/').at(-1) ?? '' }),
      });
    equal((await ask()).status, 200);
    equal((await at('')).heading, 'Check your answers and sign');

    const late = await resume();
    now += 24 * 3_600_000;
    const [from = '', to = ''] = [late.first, late.second].map(({ applicationUrl }) =>
      applicationUrl.split('/').at(-1),
    );
    await copyIdentityCheck(service.context, from, to);
    equal((await findSession(service.context, to))?.check.passedAt, null, 'a link that has ended proves nothing');
    now -= 24 * 3_600_000;
    const stranger = await resume();
    await copyIdentityCheck(service.context, from, stranger.second.applicationUrl.split('/').at(-1) ?? '');
    isAsked(await stranger.at(''));
  });

  it('The digits are in no row of the database.', async () => {
    const { type } = await resume();
    await type({ use: 'keep', ssnLastFour: '7391' });
    for (const table of ['identity_check', 'applicant'] as const) {
      const rows = await service.context.db.selectFrom(table).selectAll().execute();
      ok(!JSON.stringify(rows).includes('7391'));
    }
  });
});
