import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { receiptNumberOf } from '../../../src/bridge/domain/applications/receipt-number.js';
import type { MailPurpose } from '../../../src/bridge/domain/jobs.js';
import { planMail } from '../../../src/bridge/domain/mail/mails.js';
import { eraseUser } from '../../../src/bridge/domain/retention/user-data.js';
import { runMailJob } from '../../../src/bridge/mail/run-mail-job.js';
import { inTransaction } from '../../../src/bridge/store/transaction.js';
import { countUnsentMails } from '../../../src/bridge/store/mail/mail-store.js';
import type { StateCode } from '../../../src/contract/index.js';
import { refusedRecipient } from '../../support/mail-server.js';
import { pdfText } from '../../support/pdf-text.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { until } from '../until.js';
import { type MailingService, startMailing } from './mailbox.js';

/** The address on the contact page of every applicant of the tests. */
const ana = 'ana.rivera@example.com';

describe('the mails of a bridge', () => {
  let mailing: MailingService;
  before(async () => {
    mailing = await startMailing();
  });
  after(() => mailing.stop());

  /** An application that was submitted, whose simulated departments wait. */
  async function submitted(states: StateCode[] = ['TX']) {
    const session = await mailing.service.createSession({ states });
    await placeAt(mailing.service, session, 'receipt');
    return { ...session, number: receiptNumberOf(session.applicationId) };
  }

  const decide = (applicationId: string, status: 'approved' | 'denied' | 'requires_action', reason = '') =>
    decideState(mailing.service.context, { applicationId, state: 'TX', status, reason });

  const rowsOf = (applicationId: string) =>
    mailing.service.context.db.selectFrom('mail').selectAll().where('applicationId', '=', applicationId).execute();

  it('A submission sends one receipt, with number, states, total and a PDF without the card.', async () => {
    const { number } = await submitted(['TX', 'CA']);
    const mail = await mailing.arrived(ana, new RegExp(number));
    equal(mail.subject, `[Test] We have your license application ${number}`);
    for (const part of [mail.text, mail.html]) {
      match(part, /This is test mode: no real department has your application/);
      match(part, /Texas and California/);
      match(part, /\$\d+\.\d\d/);
      match(part, /there is nothing to unsubscribe from/);
    }
    deepEqual(mail.links, []);
    const [pdf] = mail.attachments;
    deepEqual([pdf?.name, pdf?.type], ['receipt.pdf', 'application/pdf']);
    const text = pdfText(pdf?.content ?? Buffer.alloc(0));
    match(text, /Receipt of your license application/);
    ok(!/\b4242\b/.test(text));
  });

  it('The mails are in the language of the signature.', async () => {
    const session = await mailing.service.createSession({ states: ['TX'] });
    await placeAt(mailing.service, session, 'review');
    const page = await createVisitor().post(`${session.applicationUrl}/review?lang=es`, typed.review);
    await createVisitor().post(page.url, typed.payment);
    const mail = await mailing.arrived(ana, /Tenemos su solicitud de licencia/);
    match(mail.html, /<html lang="es"/);
    match(mail.text, /El recibo está adjunto/);
    await decide(session.applicationId, 'approved');
    match((await mailing.arrived(ana, /Texas ha decidido/)).text, /Texas ha aprobado su solicitud/);
  });

  it('A state that asks for a further fee says so and how much, and its link opens in the language of the mail.', async () => {
    const { context } = mailing.service;
    const session = await mailing.service.createSession({ states: ['TX'] });
    await placeAt(mailing.service, session, 'review');
    const page = await createVisitor().post(`${session.applicationUrl}/review?lang=es`, typed.review);
    await createVisitor().post(page.url, typed.payment);
    const request = { applicationId: session.applicationId, state: 'TX', status: 'requires_action' } as const;
    await decideState(context, { ...request, reason: 'It was raised.', feeCents: 2_550 });
    const mail = await mailing.arrived(ana, /Texas necesita algo de usted/);
    match(mail.text, /pide una tarifa adicional/);
    match(mail.text, /25[.,]50/);
    match((await createVisitor().get(mail.links[0] ?? '')).html, /<html[^>]* lang="es"/);
  });

  it('A state that asks sends a mail with the link of the request, and without its words.', async () => {
    const { applicationId, number } = await submitted();
    await decide(applicationId, 'requires_action', 'Explain the conviction of 2014.');
    const mail = await mailing.arrived(ana, new RegExp(`Texas needs something.*${number}`));
    ok(!/conviction|2014/.test(mail.text + mail.html));
    equal(mail.links.length, 1);
    const [link = ''] = mail.links;
    equal(new URL(link).origin, mailing.service.applyUrl);
    const page = await createVisitor().get(link);
    match(page.html, /Explain the conviction of 2014\./);
    // The link ends with its purpose.
    await decide(applicationId, 'denied');
    equal((await createVisitor().get(link)).status, 404);
    match((await mailing.arrived(ana, new RegExp(`has decided.*${number}`))).text, /Texas has denied/);
  });

  it('A purpose has one mail, however often it is planned and its job runs.', async () => {
    const { applicationId, number } = await submitted();
    await mailing.arrived(ana, new RegExp(number));
    const { context } = mailing.service;
    const receipt: MailPurpose = { kind: 'receipt', applicationId };
    await inTransaction(context.db, (trx) => planMail(context, trx, receipt));
    await runMailJob({ context, operator: noOperator }, receipt);
    equal(mailing.mailsTo(ana).filter(({ subject }) => subject.includes(number)).length, 1);
    deepEqual(
      (await rowsOf(applicationId)).map(({ kind, attempts }) => [kind, attempts]),
      [['receipt', 0]],
    );
  });

  const noOperator = { name: undefined, helpUrl: undefined, phone: undefined, email: undefined };

  /** Runs the job of a purpose as if time passed: its next jobs are returned and not scheduled. */
  async function runNow(purpose: MailPurpose, at = new Date()) {
    const pauses: number[] = [];
    const { context } = mailing.service;
    const planned = {
      ...context,
      clock: () => at,
      schedule: (_trx: unknown, _kind: unknown, _job: unknown, afterSeconds: number) => {
        pauses.push(afterSeconds);
        return Promise.resolve();
      },
    };
    await runMailJob({ context: planned, operator: noOperator }, purpose);
    return pauses;
  }

  /** Plans a mail whose job the test runs itself. */
  async function plan(purpose: MailPurpose) {
    const { context } = mailing.service;
    const schedule = () => Promise.resolve();
    await inTransaction(context.db, (trx) => planMail({ ...context, schedule }, trx, purpose));
  }

  /** Plans the mail about a denial, after the receipt was sent: the server would defer that one instead. */
  async function planDenial(at: string) {
    const { applicationId } = await submitted();
    await until(async () => (await rowsOf(applicationId))[0]?.sentAt);
    const purpose: MailPurpose = { kind: 'decision', applicationId, state: 'TX', status: 'denied', at };
    await mailing.service.context.db
      .updateTable('applicationState')
      .set({ status: 'denied' })
      .where('applicationId', '=', applicationId)
      .execute();
    await plan(purpose);
    return { applicationId, purpose };
  }

  it('A greylisted mail is tried again with growing pauses, arrives once, and no log line has its address.', async () => {
    const { applicationId, purpose } = await planDenial('2026-01-01');
    const before = mailing.server.received.length;
    mailing.server.defer(2);
    equal((await countUnsentMails(mailing.service.context.db)).retrying, 0, 'none was tried yet');
    deepEqual(await runNow(purpose), [15]);
    equal((await countUnsentMails(mailing.service.context.db)).retrying, 1);
    deepEqual(await runNow(purpose), [30]);
    equal(mailing.server.received.length, before);
    deepEqual(await runNow(purpose), []);
    equal(mailing.server.received.length, before + 1);
    deepEqual(await runNow(purpose), []);
    equal(mailing.server.received.length, before + 1);
    const row = (await rowsOf(applicationId)).find(({ kind }) => kind === 'decision');
    deepEqual([row?.attempts, row?.problem], [2, null]);
    const logged = mailing.service.logged.join('\n');
    match(logged, /"code":"SMTP451".*A mail could not be sent/);
    ok(!logged.includes(ana));
  });

  it('After three days of failures a mail is dropped, and the metrics count it.', async () => {
    const { applicationId, purpose } = await planDenial('late');
    mailing.server.defer(1);
    const { failed } = await countUnsentMails(mailing.service.context.db);
    deepEqual(await runNow(purpose, new Date(Date.now() + 3 * 24 * 3_600_000)), []);
    const row = (await rowsOf(applicationId)).find(({ kind }) => kind === 'decision');
    ok(row?.droppedAt);
    equal(row.problem, 'SMTP451');
    equal((await countUnsentMails(mailing.service.context.db)).failed, failed + 1);
  });

  it('A refused mail is dropped at once, without its address in the log or the database.', async () => {
    const session = await mailing.service.createSession({ states: ['TX'] });
    const visitor = createVisitor();
    await walkTo(visitor, session, 'receipt', { profile: { email: refusedRecipient } });
    await until(async () => (await rowsOf(session.applicationId))[0]?.droppedAt);
    const [row] = await rowsOf(session.applicationId);
    deepEqual([row?.problem, row?.attempts], ['SMTP550', 0]);
    match(mailing.service.logged.join('\n'), /"code":"SMTP550".*A mail was dropped/);
    ok(!mailing.service.logged.join('\n').includes(refusedRecipient));
  });

  it('A request that was decided before its mail could be sent sends no mail.', async () => {
    const { applicationId } = await submitted();
    await until(async () => (await rowsOf(applicationId))[0]?.sentAt);
    const purpose = { kind: 'action', applicationId, state: 'TX', status: 'requires_action', serial: 1 } as const;
    await plan(purpose);
    const before = mailing.server.received.length;
    deepEqual(await runNow(purpose), []);
    equal(mailing.server.received.length, before);
    const row = (await rowsOf(applicationId)).find(({ kind }) => kind === 'action');
    ok(row?.droppedAt);
    equal(row.problem, null);
  });

  it('The erasure of a user erases the mails, and a job that still waits sends nothing.', async () => {
    const { applicationId } = await submitted();
    await until(async () => (await rowsOf(applicationId))[0]?.sentAt);
    await decide(applicationId, 'denied');
    await mailing.service.context.db
      .updateTable('mail')
      .set({ sentAt: null })
      .where('applicationId', '=', applicationId)
      .execute();
    const { userId } = await mailing.service.context.db
      .selectFrom('application')
      .select('userId')
      .where('id', '=', applicationId)
      .executeTakeFirstOrThrow();
    const { agencyId } = mailing.service;
    const request = { agencyId, mode: 'test', userId, actor: 'bridge', reason: 'Request of the user' } as const;
    deepEqual(await eraseUser(mailing.service.context, request), { status: 'erased', applications: 1 });
    deepEqual(await rowsOf(applicationId), []);
    const before = mailing.server.received.length;
    await runNow({ kind: 'receipt', applicationId });
    equal(mailing.server.received.length, before);
  });

  it('No mail has an SSN, an answer, a card or a link besides that of a request.', () => {
    // Of all tests before.
    ok(mailing.server.received.length > 5);
    for (const { source } of mailing.server.received) ok(!/unsubscribe:/i.test(source));
    for (const mail of mailing.mailsTo(ana)) {
      const pdfs = mail.attachments.map(({ content }) => pdfText(content));
      const all = [mail.subject, mail.text, mail.html, ...pdfs].join('\n');
      for (const secret of [/900-?11-?0004/, /\b0004\b/, /\b4242\b/, /4242 ?4242/])
        ok(!secret.test(all), String(secret));
      const paths = mail.links.map((link) => new URL(link).pathname.split('/')[1]);
      ok(paths.every((path) => path === 'a'));
      ok(!/\/s\/[\w-]{43}/.test(all));
      ok(!/<(img|link|script|iframe)|url\(|@import|@font-face/i.test(mail.html));
    }
  });

  // After the look at all mails, whose links are ours.
  it('The link of a page of the department is in the mail as the operator entered it.', async () => {
    const { applicationId, number } = await submitted();
    const actionUrl = 'https://department.example/answer?signed=a%2Bb';
    const request = { applicationId, state: 'TX', status: 'requires_action', reason: 'Send the form.' } as const;
    await decideState(mailing.service.context, { ...request, actionUrl });
    deepEqual((await mailing.arrived(ana, new RegExp(`Texas needs something.*${number}`))).links, [actionUrl]);
  });
});

it('A bridge without a mail server plans no mails.', async (t) => {
  const service = await startApplyService();
  t.after(() => service.stop());
  const session = await service.createSession({ states: ['TX'] });
  await placeAt(service, session, 'receipt');
  deepEqual(await service.context.db.selectFrom('mail').selectAll().execute(), []);
});
