import { createHash } from 'node:crypto';
import { type Language, statusNames } from '../../contract/index.js';
import { writeReceipt } from '../apply/pages/receipt/pdf.js';
import { licenseText } from '../apply/pages/receipt/view.js';
import { listed, stateName } from '../catalogue/state-names.js';
import { dollars } from '../apply/page-context.js';
import { textsIn } from '../apply/texts/index.js';
import { codeMinutes, findCodeToSend } from '../domain/applications/proof-code.js';
import { valuesOf } from '../domain/applications/profile/pages.js';
import { readApplication } from '../domain/applications/read-application.js';
import { receiptNumberOf } from '../domain/applications/receipt-number.js';
import { type ApplySession, readOwnApplication } from '../domain/applications/session.js';
import type { BridgeContext } from '../domain/context.js';
import type { MailPurpose } from '../domain/jobs.js';
import { purposeKey } from '../domain/mail/mails.js';
import { findRequestedFee } from '../domain/payments/further-fee.js';
import { findReceiptPayments } from '../domain/payments/payment.js';
import { feesOfSession } from '../domain/payments/session-fees.js';
import type { Operator } from '../pages/operator.js';
import type { Mail, MailAttachment } from '../ports/mailer.js';
import { type MailContent, writeHtml, writeText } from './template.js';
import { mailTexts, type MailTexts } from './texts.js';

/** The dependencies of the content of a mail. */
export interface MailServices {
  context: BridgeContext;
  operator: Pick<Operator, 'name' | 'helpUrl' | 'phone' | 'email'>;
}

/** A mail to an application, before its layout. */
interface Draft extends Pick<MailContent, 'title' | 'paragraphs' | 'rows' | 'code' | 'link' | 'after'> {
  to: string;
  language: Language;
  subject: string;
  attachments?: readonly MailAttachment[];
}

/** The parts from which the content of a mail is made. */
interface Subject {
  context: BridgeContext;
  session: ApplySession;
  language: Language;
  words: MailTexts;
  /** The number of the receipt. */
  number: string;
}

/**
 * Writes the mail of a purpose from what is stored now. Resolves with `undefined` when it is
 * outdated: the state has decided since, the code has expired, or the user's data was erased.
 *
 * No mail has an SSN, an answer, a card, or words that an operator or a department typed: those may
 * quote an answer, and the user reads them on the page.
 */
export async function composeMail(
  { context, operator }: MailServices,
  purpose: MailPurpose,
): Promise<Mail | undefined> {
  const session = await readOwnApplication(context, purpose.applicationId);
  const draft =
    session &&
    (await (purpose.kind === 'code' ? codeMail(context, session, purpose) : signedMail(context, session, purpose)));
  if (!draft) return undefined;
  const { to, language, subject, attachments = [], ...content } = draft;
  const words = mailTexts[language];
  const isTest = session.application.mode === 'test';
  const full: MailContent = {
    ...content,
    language,
    paragraphs: isTest ? [words.test, ...content.paragraphs] : content.paragraphs,
    footer: footerOf(context, operator, session, words),
  };
  return {
    to,
    language,
    subject: isTest ? words.testSubject(subject) : subject,
    text: writeText(full),
    html: await writeHtml(full),
    // A hash, because the purpose contains ids.
    messageId: `mail.${createHash('sha256').update(purposeKey(purpose)).digest('base64url')}`,
    attachments,
  };
}

/**
 * A mail about a submitted application. It goes to the address of the profile that the user has
 * signed: the partner cannot change it any more.
 */
async function signedMail(
  context: BridgeContext,
  session: ApplySession,
  purpose: Exclude<MailPurpose, { kind: 'code' }>,
): Promise<Draft | undefined> {
  const { email: to } = valuesOf(session.profile, 'contact');
  const language = session.saved.review?.data['language'] as Language | undefined;
  if (to === undefined || language === undefined || session.application.submittedAt === null) return undefined;
  const number = receiptNumberOf(session.application.id);
  const subject: Subject = { context, session, language, words: mailTexts[language], number };
  const draft = purpose.kind === 'receipt' ? await receiptMail(subject) : await stateMail(subject, purpose);
  return draft && { ...draft, to, language };
}

type Content = Omit<Draft, 'to' | 'language'>;

/**
 * The receipt. Its PDF has what the user signed by (name, digest), what was paid, and the fees: no
 * SSN and no answer. Not even the last digits of the card, which the page shows.
 */
async function receiptMail({ context, session, language, words, number }: Subject): Promise<Content | undefined> {
  const { application, agencyName } = session;
  const states = (await readApplication(context, application, application.id))?.states ?? [];
  const { payment, furtherFees } = await findReceiptPayments(context, session);
  const page = { texts: textsIn(language), language, session, agencyName, isTest: application.mode === 'test' };
  const paid = { payment: payment && { ...payment, cardLast4: '' }, furtherFees };
  const content = await writeReceipt(page, states, paid, context.clock());
  const names = listed(
    application.states.map((state) => stateName(state, language)),
    language,
  );
  return {
    subject: words.receipt.subject(number),
    title: words.receipt.title,
    paragraphs: [words.receipt.lead(agencyName)],
    rows: [
      { label: words.number, value: number },
      { label: words.states, value: names },
      { label: words.total, value: dollars(feesOfSession(session).totalCents, language) },
    ],
    after: [words.receipt.next],
    attachments: [{ name: 'receipt.pdf', type: 'application/pdf', content }],
  };
}

async function stateMail(
  { context, session, language, words, number }: Subject,
  purpose: Extract<MailPurpose, { kind: 'action' | 'decision' | 'correction' }>,
): Promise<Content | undefined> {
  const { application } = session;
  const states = (await readApplication(context, application, application.id))?.states ?? [];
  const row = states.find(({ state }) => state === purpose.state);
  if (row?.status !== purpose.status) return undefined;
  const state = stateName(row.state, language);
  const rows = [
    { label: words.number, value: number },
    { label: words.status, value: `${state}: ${statusNames[language][row.status]}` },
  ];
  switch (purpose.kind) {
    case 'action': {
      // Of a stopped agency, whose links show nothing.
      if (session.phase === 'stopped' || row.actionUrl === undefined) return undefined;
      const { subject, title, lead, link, fee, ends, why } = words.action;
      const cents = await findRequestedFee(context, application.id, row.state);
      const href = inLanguage(row.actionUrl, language, context.settings);
      return {
        subject: subject(state, number),
        title: title(state),
        paragraphs: [cents === undefined ? lead(state) : fee.lead(state), why],
        rows: [...rows, ...(cents === undefined ? [] : [{ label: words.fee, value: dollars(cents, language) }])],
        link: { href, label: cents === undefined ? link(state) : fee.link },
        after: [ends],
      };
    }
    case 'decision': {
      const { subject, title, approved, denied } = words.decision;
      const license = licenseText({ texts: textsIn(language), language, session }, row);
      return {
        subject: subject(state, number),
        title: title(state),
        paragraphs: [(row.status === 'approved' ? approved : denied)(state)],
        rows: [...rows, ...(license === '' ? [] : [{ label: words.license, value: license }])],
      };
    }
    case 'correction': {
      const { subject, title, lead } = words.correction;
      return { subject: subject(state, number), title: title(state), paragraphs: [lead(state)], rows };
    }
  }
}

/**
 * A link in the language of the mail, because the browser of the user may prefer another one. That of a
 * department stays as the operator entered it: a further parameter may break it.
 */
function inLanguage(link: string, language: Language, { applyUrl }: BridgeContext['settings']): string {
  const url = new URL(link);
  if (url.origin !== new URL(applyUrl).origin) return link;
  url.searchParams.set('lang', language);
  return url.href;
}

async function codeMail(
  context: BridgeContext,
  session: ApplySession,
  { sessionId, serial, language }: Extract<MailPurpose, { kind: 'code' }>,
): Promise<Draft | undefined> {
  const found = await findCodeToSend(context, session, { sessionId, serial });
  if (!found || session.phase === 'stopped') return undefined;
  const { subject, title, lead, expires, notYou } = mailTexts[language].code;
  return {
    to: found.address,
    language,
    subject,
    title,
    paragraphs: [lead],
    code: found.code,
    after: [expires(codeMinutes), notYou],
  };
}

function footerOf(
  { settings }: Pick<BridgeContext, 'settings'>,
  { name, helpUrl, phone, email }: MailServices['operator'],
  { agencyName }: ApplySession,
  { footer }: MailTexts,
): string[] {
  const help = [helpUrl, phone, email].filter((way) => way !== undefined).join(' · ');
  return [
    footer.why(agencyName),
    footer.never,
    footer.from(name ?? new URL(settings.applyUrl).host),
    ...(help === '' ? [] : [`${footer.help} ${help}`]),
  ];
}
