import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  checkLastFour,
  copyIdentityCheck,
  findSsnOffer,
  mayReuseAnswers,
  reuseSsn,
  saveTypedSsn,
  takeSsn,
} from '../../../src/bridge/domain/applications/identity.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { showOwnAnswers } from '../../../src/bridge/domain/applications/own-answers.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import { findApplicationById } from '../../../src/bridge/store/applications/application-store.js';
import { untilBlocked } from '../blocked.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt, tokenOf } from './support/shortcuts.js';
import { createVisitor, noToAll, typed, type VisitedPage, signAndPay } from './support/visitor.js';

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

  const nextUser = () => `usr_digits_${(users += 1)}`;

  /** A user who has submitted once, at the identity step of another application. */
  async function comeBack() {
    const userId = nextUser();
    await placeAt(service, await service.createSession({ userId }), 'receipt');
    const { applicationUrl } = await service.createSession({ userId });
    await placeAt(service, { applicationUrl }, 'identity');
    const page = await createVisitor().get(applicationUrl);
    return { applicationUrl, page, type: (fields: object) => typeInto(applicationUrl, fields) };
  }

  /** A user at a step, and another link to the same application. */
  async function resume(until: 'background' | 'review' = 'review') {
    const userId = nextUser();
    const first = await service.createSession({ userId });
    await placeAt(service, first, until);
    const second = await service.createSession({ userId });
    equal(second.applicationId, first.applicationId);
    const at = (path: string) => createVisitor().get(second.applicationUrl + (path && `/${path}`));
    return { first, second, at, type: (fields: object) => typeInto(second.applicationUrl, fields) };
  }

  const digitsOf = (userId: string) =>
    service.context.db
      .selectFrom('applicant')
      .select(['wrongDigitsCount', 'wrongDigitsSince'])
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();

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

  it('Without a page, too, wrong digits end the offer, right ones pass once and for their session only.', async () => {
    const { context } = service;
    const [ended, other] = [await comeBack(), await comeBack()].map(({ applicationUrl }) => tokenOf(applicationUrl));
    const tries: unknown[] = [];
    for (const digits of [wrong, wrong, wrong, wrong, wrong, lastFour])
      tries.push(await reuseSsn(context, ended ?? '', digits, 'en'));
    deepEqual(tries, ['wrong', 'wrong', 'wrong', 'wrong', 'ended', 'ended']);
    const sessionNow = async () => (await findSession(context, other ?? '')) ?? fail('The session is gone.');
    deepEqual(await findSsnOffer(context, await sessionNow()), { use: 'earlier', needsDigits: true });
    equal(await mayReuseAnswers(context, context.db, await sessionNow()), false);
    equal(await reuseSsn(context, other ?? '', lastFour, 'en'), 'passed');
    deepEqual(await findSsnOffer(context, await sessionNow()), { use: 'keep', needsDigits: false });
    equal(await mayReuseAnswers(context, context.db, await sessionNow()), true);
    equal(takeSsn(context, await sessionNow()).last4, lastFour);
    equal(await reuseSsn(context, other ?? '', wrong, 'en'), 'passed', 'it is asked no more');
    equal((await sessionNow()).check.failedCount, 0);
    await saveTypedSsn(context, other ?? '', '900220009');
    equal(await mayReuseAnswers(context, context.db, await sessionNow()), false, 'the SSN of somebody else');

    const fresh = await service.createSession({ userId: nextUser() });
    await placeAt(service, fresh, 'identity');
    const session = await findSession(context, tokenOf(fresh.applicationUrl));
    equal(session && (await findSsnOffer(context, session)), undefined);
  });

  it('The same SSN typed again changes nothing: no answer, no address, and no proof of another link.', async () => {
    const { context } = service;
    const { first, second } = await resume();
    const [own, theirs] = [tokenOf(first.applicationUrl), tokenOf(second.applicationUrl)];
    equal(await reuseSsn(context, theirs, lastFour, 'en'), 'passed');
    const state = async () => ({
      steps: await context.db
        .selectFrom('applicationStep')
        .select('step')
        .where('applicationId', '=', first.applicationId)
        .orderBy('step')
        .execute(),
      email: (await findApplicationById(context.db, first.applicationId)).proofEmailEncrypted,
      passedAt: (await findSession(context, own))?.check.passedAt,
      theirs: (await findSession(context, theirs))?.check.passedAt,
    });
    const before = await state();
    ok(before.theirs && before.passedAt && before.email);
    ok(before.steps.some(({ step }) => step === 'disclosures'));
    now += 1_000;
    await saveTypedSsn(context, own, '900110004');
    deepEqual(await state(), before);
    await saveTypedSsn(context, own, '900220009');
    equal((await state()).theirs, null);
    now -= 1_000;
  });

  it('Wrong digits count for 24 hours from the first one, and then start a new period.', async () => {
    const { applicationUrl } = await comeBack();
    const userId = `usr_digits_${users}`;
    const began = now;
    const guess = () => reuseSsn(service.context, tokenOf(applicationUrl), wrong, 'en');
    const count = async () => (await findSession(service.context, tokenOf(applicationUrl)))?.check.failedCount;
    const { db } = service.context;
    const expiresAt = new Date(began + 30 * 24 * 3_600_000);
    await db.updateTable('application').set({ expiresAt }).where('userId', '=', userId).execute();
    await guess();
    now = began + 3_600_000;
    await guess();
    deepEqual(await digitsOf(userId), { wrongDigitsCount: 2, wrongDigitsSince: new Date(began) });
    now = began + 24 * 3_600_000 - 1;
    equal(await count(), 2);
    now += 1;
    equal(await count(), 0);
    await guess();
    deepEqual(await digitsOf(userId), { wrongDigitsCount: 1, wrongDigitsSince: new Date(now) });
    equal(await count(), 1);
    now = began;
  });

  for (const [what, guess] of [
    ['own answers', (token: string) => showOwnAnswers(service.context, token, wrong)],
    ['a stored SSN', (token: string) => reuseSsn(service.context, token, wrong, 'en')],
    ['a typed SSN', (token: string) => saveTypedSsn(service.context, token, '900220009')],
  ] as const) {
    it(`Guesses in two sessions of a user count one after another: ${what}.`, async () => {
      const userId = nextUser();
      await placeAt(service, await service.createSession({ userId }), 'receipt');
      const first = await service.createSession({ userId });
      await placeAt(service, first, 'review');
      const second = await service.createSession({ userId, licenseType: 'property_casualty' });
      await placeAt(service, second, what === 'own answers' ? 'review' : 'identity');
      const { context } = service;
      const session = await findSession(context, tokenOf(first.applicationUrl));
      ok(session);
      const trx = await context.db.startTransaction().execute();
      equal(await checkLastFour(context, trx, session, wrong), 'wrong');
      const late = guess(tokenOf(second.applicationUrl));
      await untilBlocked(context.db);
      await trx.commit().execute();
      await late;
      equal((await digitsOf(userId)).wrongDigitsCount, 2);
    });
  }

  it('Own answers are shown with the right digits only, and each try is in the audit trail.', async () => {
    const userId = nextUser();
    await placeAt(service, await service.createSession({ userId }), 'receipt');
    const session = await service.createSession({ userId });
    await placeAt(service, session, 'review');
    const token = tokenOf(session.applicationUrl);
    deepEqual(await showOwnAnswers(service.context, token, wrong), { status: 'wrong' });
    const shown = await showOwnAnswers(service.context, token, lastFour);
    ok(shown?.status === 'shown');
    ok(Object.values(shown.answers).every(({ answer }) => answer === 'no'));
    const subject = session.applicationId;
    const entries = await readAudit(service.context, { scope: 'all', subject, action: 'answers.shown', limit: 10 });
    deepEqual(
      entries.map(({ actor, result }) => [actor, result]),
      [
        ['user', 'shown'],
        ['user', 'refused'],
      ],
    );
  });

  it('Five of seven concurrent guesses in two sessions of a user are tries, and the others end at once.', async () => {
    const userId = nextUser();
    const tokens: string[] = [];
    for (const licenseType of ['life_health', 'property_casualty']) {
      const session = await service.createSession({ userId, licenseType });
      await placeAt(service, session, 'review');
      tokens.push(tokenOf(session.applicationUrl));
    }
    const guesses = Array.from({ length: 7 }, (_, index) =>
      showOwnAnswers(service.context, tokens[index % 2] ?? '', wrong),
    );
    const statuses = (await Promise.all(guesses)).map((shown) => shown?.status).sort();
    deepEqual(statuses, ['ended', 'ended', 'ended', 'wrong', 'wrong', 'wrong', 'wrong']);
    equal((await digitsOf(userId)).wrongDigitsCount, 5);
    deepEqual(await showOwnAnswers(service.context, tokens[0] ?? '', lastFour), { status: 'ended' });
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

  it('After another SSN, all questions are asked again, and the earlier link requires the digits, too.', async () => {
    const { first, second, at, type } = await resume();
    match((await type(another)).heading, /Criminal history/);
    for (const path of ['', 'review', 'background']) match((await at(path)).heading, /Criminal history/);
    isAsked(await createVisitor().get(first.applicationUrl));
    const sent = await signAndPay(createVisitor(), second.applicationUrl);
    match(sent.heading, /Criminal history/);
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
    // The second link is a second newer.
    await service.context.db
      .updateTable('application')
      .set({ expiresAt: new Date(now + 24 * 3_600_000 + 1_000) })
      .where('id', '=', late.second.applicationId)
      .execute();
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
});
