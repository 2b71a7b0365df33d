import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  copyIdentityCheck,
  resendCode,
  reuseSsn,
  saveTypedSsn,
  useCode,
} from '../../../src/bridge/domain/applications/identity.js';
import { findCodeToSend, maskAddress } from '../../../src/bridge/domain/applications/proof-code.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import type { Session } from '../../../src/contract/index.js';
import { placeAt, tokenOf } from '../apply/support/shortcuts.js';
import { createVisitor, typedProfile, type VisitedPage } from '../apply/support/visitor.js';
import { type MailingService, startMailing } from './mailbox.js';

/** The address on the contact page of every applicant of the tests. */
const ana = 'ana.rivera@example.com';
const lastFour = '0004';
const right = { use: 'keep', ssnLastFour: lastFour };
const earlier = { use: 'earlier', ssnLastFour: lastFour };
const subject = /code for your license application/;

describe('the proof of the same user by digits and mail', () => {
  let mailing: MailingService;
  let now = Date.now();
  let users = 0;
  let codes = 0;
  before(async () => {
    // Its clock moves by days, and the tokens of the partner stay valid.
    const environment = { BRIDGE_TOKEN_TTL: '31536000' };
    mailing = await startMailing({ clock: () => new Date(now), environment });
  });
  after(() => mailing.stop());

  const nextUser = () => `usr_mail_${(users += 1)}`;
  const open = (userId: string, own: { licenseType?: string } = {}, email = ana) =>
    mailing.service.createSession({ userId, states: ['TX'], ...own }, { profile: { email } });
  const post = ({ applicationUrl }: Session, fields: Record<string, string>, path = 'identity') =>
    createVisitor().post(`${applicationUrl}/${path}`, fields);
  const get = ({ applicationUrl }: Session, path = '') => createVisitor().get(applicationUrl + (path && `/${path}`));
  const type = (session: Session, code: string) => post(session, { code }, 'identity/code');
  const isCodePage = (page: VisitedPage) => {
    equal(page.heading, 'Enter the code from your e-mail');
  };

  /** The newest mail with a code. Receipts may arrive after it. */
  function newestMail() {
    codes += 1;
    return mailing.arrived(ana, subject, codes);
  }

  const codeIn = ({ text }: { text: string }) => /^\d{6}$/m.exec(text)?.[0] ?? '';
  const newestCode = async () => codeIn(await newestMail());

  /** Another code than a right one. */
  const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');

  /** A user who has submitted, and a session of another application. */
  async function comeBack(email = ana) {
    await mailing.service.context.db.deleteFrom('rateLimit').execute();
    const userId = nextUser();
    await placeAt(mailing.service, await open(userId), 'receipt');
    const session = await open(userId, { licenseType: 'property_casualty' }, email);
    await placeAt(mailing.service, session, 'identity');
    return { userId, session };
  }

  /** A user at the review, and another link to the same application. */
  async function resume() {
    await mailing.service.context.db.deleteFrom('rateLimit').execute();
    const userId = nextUser();
    const first = await open(userId);
    await placeAt(mailing.service, first, 'review');
    return { userId, first, second: await open(userId) };
  }

  it('A new session asks for the digits and for a code, sent to the address of the first session, and then continues.', async () => {
    const { session } = await comeBack('partner@agency.example');
    const asked = await get(session, 'identity');
    match(asked.html, /Then we send a code to a•••@e•••\.com/);
    const page = await post(session, earlier);
    isCodePage(page);
    match(page.html, /a•••@e•••\.com/);
    match(page.html, /autocomplete="one-time-code"/);
    ok(!page.html.includes(ana) && !page.html.includes(lastFour));
    const code = await newestCode();
    deepEqual(mailing.mailsTo('partner@agency.example'), []);
    equal((await type(session, code.replace(/(\d{3})/, '$1 '))).heading, 'Use your earlier answers?');
    // Nothing is asked again with this link.
    equal((await get(session)).heading, 'Use your earlier answers?');
  });

  it('The digits alone open nothing: no page, no form, and no answers.', async () => {
    const { second } = await resume();
    isCodePage(await post(second, right));
    await newestCode();
    for (const path of ['', 'background/criminal', 'review', 'payment']) {
      equal((await get(second, path)).heading, 'Your Social Security number', path);
    }
    equal(
      (await post(second, { signedName: 'ana rivera', attest: '1' }, 'review')).heading,
      'Your Social Security number',
    );
    const { check } = await identityOf(second);
    equal(check?.passedAt, null);
  });

  const identityOf = async ({ applicationUrl }: Session) => {
    const session = await findSession(mailing.service.context, tokenOf(applicationUrl));
    return { check: session?.check };
  };

  it('A wrong code is refused in the summary and in Spanish, and the right one still works.', async () => {
    const { second } = await resume();
    await post(second, right);
    const code = await newestCode();
    const refused = await type(second, otherThan(code));
    equal(refused.status, 422);
    match(refused.title, /^Error: /);
    match(refused.html, /href="#code">This is not the newest code that we sent/);
    ok(!refused.html.includes(code));
    const short = await type(second, '123');
    match(short.html, /href="#code">Enter the code from the mail: 6 digits/);
    const spanish = await post(second, { code: otherThan(code) }, 'identity/code?lang=es');
    match(spanish.html, /Este no es el código más nuevo/);
    equal((await type(second, code)).heading, 'Check your answers and sign');
  });

  it('A code expires after ten minutes, and another one can be had after a minute.', async () => {
    const began = now;
    const { second } = await resume();
    await post(second, right);
    const first = await newestCode();
    match((await post(second, { another: '1' }, 'identity/code')).html, /href="#another">Wait 60 seconds/);
    now = began + 10 * 60_000 - 1;
    match((await type(second, otherThan(first))).html, /This is not the newest code/);
    now = began + 10 * 60_000;
    match((await type(second, first)).html, /href="#code">This code has expired/);
    const sent = await post(second, { another: '1' }, 'identity/code');
    equal(sent.status, 200);
    match(sent.html, /role="status">\s*Another code is on its way/);
    const next = await newestCode();
    if (next !== first) match((await type(second, first)).html, /This is not the newest code/);
    equal((await type(second, next)).heading, 'Check your answers and sign');
  });

  it('Five wrong codes, in all sessions of the user and together with wrong digits, end the day.', async () => {
    const { userId, second } = await resume();
    await post(second, right);
    const code = await newestCode();
    for (let tries = 1; tries <= 3; tries += 1) await type(second, otherThan(code));
    const third = await open(userId);
    await post(third, { use: 'keep', ssnLastFour: '0005' });
    const ended = await type(second, otherThan(code));
    equal(ended.heading, 'Your Social Security number');
    match(ended.html, /The digits or the codes were wrong five times/);
    equal((await type(second, code)).heading, 'Your Social Security number');
    equal((await identityOf(second)).check?.passedAt, null);
  });

  it('A user gets five codes in 24 hours, however many sessions ask for them.', async () => {
    const { userId, second } = await resume();
    isCodePage(await post(second, right));
    for (let count = 2; count <= 5; count += 1) isCodePage(await post(await open(userId), right));
    await mailing.arrived(ana, subject, (codes += 5));
    const refused = await post(await open(userId), right);
    equal(refused.status, 422);
    match(refused.html, /No more codes can be sent today/);
    now += 60_000;
    match(
      (await post(second, { another: '1' }, 'identity/code')).html,
      /href="#another">No more codes can be sent today/,
    );
    now += 24 * 3_600_000;
    isCodePage(await post(await open(userId), right));
    await newestCode();
  });

  it('No code is used, sent or mailed again for a session that does not wait for one.', async () => {
    const { context } = mailing.service;
    const { second } = await resume();
    const token = tokenOf(second.applicationUrl);
    const sessionNow = async () => (await findSession(context, token)) ?? fail('The session is gone.');
    const toSend = async (serial: number) =>
      (await findCodeToSend(context, await sessionNow(), { sessionId: second.sessionId, serial }))?.code;
    deepEqual(
      [await useCode(context, token, '000000'), await resendCode(context, token, 'en')],
      [undefined, undefined],
    );
    equal(await reuseSsn(context, token, lastFour, 'en'), 'code');
    const { codeSerial } = (await sessionNow()).check;
    const code = await newestCode();
    deepEqual([await toSend(codeSerial), await toSend(codeSerial + 1)], [code, undefined]);
    now += 10 * 60_000;
    equal(await toSend(codeSerial), undefined);
    now -= 10 * 60_000;
    equal(await useCode(context, token, code), 'passed');
    const { codePassedAt } = (await sessionNow()).check;
    ok(codePassedAt);
    // Neither a wrong code nor the SSN typed again changes what was proved.
    equal(await useCode(context, token, otherThan(code)), 'passed');
    now += 1_000;
    await saveTypedSsn(context, token, '900110004');
    deepEqual((await sessionNow()).check.codePassedAt, codePassedAt);
    deepEqual([await toSend(codeSerial), await resendCode(context, token, 'en')], [undefined, undefined]);
  });

  it('A code works in its own session only.', async () => {
    const { userId, second } = await resume();
    const third = await open(userId);
    await post(second, right);
    const code = await newestCode();
    await post(third, right);
    const own = await newestCode();
    if (own !== code) match((await type(third, code)).html, /This is not the newest code/);
    equal((await type(third, own)).heading, 'Check your answers and sign');
    equal((await get(second)).heading, 'Your Social Security number');
  });

  it('Without the right digits no code is sent, and the page of the code leads back.', async () => {
    const { second } = await resume();
    match((await post(second, { use: 'keep', ssnLastFour: '0005' })).html, /These are not the last four digits/);
    equal((await get(second, 'identity/code')).heading, 'Your Social Security number');
    equal((await type(second, '123456')).heading, 'Your Social Security number');
    equal((await post(second, { another: '1' }, 'identity/code')).heading, 'Your Social Security number');
    const { db } = mailing.service.context;
    const { applicationId } = second;
    deepEqual(await db.selectFrom('mail').selectAll().where('applicationId', '=', applicationId).execute(), []);
  });

  it('The whole SSN proves no more than its digits: all questions are asked again.', async () => {
    const { second } = await resume();
    match((await post(second, { use: 'typed', ssn: '900-11-0004' })).heading, /Criminal history/);
    match((await get(second, 'review')).heading, /Criminal history/);
    const { session } = await comeBack();
    match((await post(session, { use: 'typed', ssn: '900-11-0004' })).heading, /Criminal history/);
    match((await get(session, 'background/earlier')).heading, /Criminal history/);
  });

  it('What a later session writes on its contact page does not change where codes go.', async () => {
    const { second } = await resume();
    const contact = { ...typedProfile['contact'], email: 'thief@example.com' };
    await post(second, contact, 'profile/contact');
    match((await get(second, 'identity')).html, /a•••@e•••\.com/);
    await post(second, right);
    await newestCode();
    deepEqual(mailing.mailsTo('thief@example.com'), []);
  });

  it('An address that is proved for new data does not open earlier answers.', async () => {
    const { userId, session: thief } = await comeBack();
    // A thief who knows the SSN begins with another address, and proves that one.
    const contact = { ...typedProfile['contact'], email: 'thief@example.com' };
    await post(thief, contact, 'profile/contact');
    await post(thief, { use: 'typed', ssn: '900-11-0004' });
    const next = await open(userId, { licenseType: 'property_casualty' });
    equal(next.applicationId, thief.applicationId);
    await post(next, right);
    const mail = await mailing.arrived('thief@example.com', subject);
    match((await type(next, /^\d{6}$/m.exec(mail.text)?.[0] ?? '')).heading, /Criminal history/);
    match((await get(next, 'background/earlier')).heading, /Criminal history/);
  });

  it('A code for earlier data is wrong after that data was replaced.', async () => {
    const { userId, session } = await comeBack();
    await post(session, earlier);
    const code = await newestCode();
    await placeAt(mailing.service, await open(userId, { licenseType: 'life' }), 'receipt');
    match((await type(session, code)).html, /This is not the newest code/);
  });

  it('An open page that continues with a new link is not asked again.', async () => {
    const { first, second } = await resume();
    await copyIdentityCheck(mailing.service.context, tokenOf(first.applicationUrl), tokenOf(second.applicationUrl));
    equal((await get(second)).heading, 'Check your answers and sign');
  });

  it('No code is stored, logged or in a URL, and its mail has no other secret.', async () => {
    const { second } = await resume();
    await post(second, right);
    const mail = await newestMail();
    const code = codeIn(mail);
    const { db } = mailing.service.context;
    const rows = [
      await db.selectFrom('identityCheck').selectAll().execute(),
      await db.selectFrom('mail').selectAll().execute(),
    ];
    ok(!JSON.stringify(rows).includes(code));
    ok(!mailing.service.logged.some((line) => line.includes(code) || line.includes(ana)));
    ok(!mail.subject.includes(code));
    deepEqual([mail.links, mail.attachments], [[], []]);
    match(mail.text, /valid for 10 minutes/);
  });
});

it('An address is shown by its first letters and its ending.', () => {
  equal(maskAddress('ana.rivera@example.com'), 'a•••@e•••.com');
  equal(maskAddress('élan@büro.example.co.uk'), 'é•••@b•••.uk');
});
