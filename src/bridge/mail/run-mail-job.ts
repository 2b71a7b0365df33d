import { ApiError } from '../domain/errors/api-error.js';
import { codeMinutes } from '../domain/applications/proof-code.js';
import type { MailPurpose } from '../domain/jobs.js';
import { purposeKey } from '../domain/mail/mails.js';
import { adapterErrorCode } from '../ports/adapter-error.js';
import type { Mail, Mailer } from '../ports/mailer.js';
import { findMail, type MailRow, updateMail } from '../store/mail/mail-store.js';
import { inTransaction } from '../store/transaction.js';
import { composeMail, type MailServices } from './compose.js';

const firstPauseSeconds = 15;
const longestPauseSeconds = 3_600;

/**
 * How long a mail is tried, in milliseconds: mail servers themselves give up after some days. A code
 * is not worth more than its validity.
 */
const triedMs = 3 * 24 * 3_600_000;

/**
 * Sends the mail of a purpose, once. Durable: a failure is tried again with pauses that grow to an
 * hour, and a refusal is final. An instance that is killed between the answer of the mail server and
 * its record lets the mail be sent again, with the same Message-ID.
 */
export async function runMailJob(services: MailServices, purpose: MailPurpose): Promise<void> {
  const { context } = services;
  const row = await findMail(context.db, purposeKey(purpose));
  // Erased with its application, or done by another instance.
  if (row === undefined || row.sentAt !== null || row.droppedAt !== null) return;
  const { mailer } = context;
  if (mailer === undefined) return drop(services, row, 'mail_off');
  const mail = await composeMail(services, purpose);
  if (mail === undefined) return drop(services, row, null);
  try {
    const outcome = await sendCounted(services, mailer, mail, row);
    if (outcome.status === 'refused') return await drop(services, row, outcome.code);
    await updateMail(context.db, row.purpose, { sentAt: context.clock(), problem: null });
  } catch (error) {
    await tryAgain(services, purpose, row, error);
  }
}

/** Sends a mail and counts it for its mailbox, so that applications and codes cannot flood one. */
async function sendCounted({ context: { limiter } }: MailServices, mailer: Mailer, mail: Mail, { kind }: MailRow) {
  const mailbox = mail.to.toLowerCase();
  const names = kind === 'code' ? (['codes', 'mails'] as const) : (['mails'] as const);
  for (const name of names) await limiter.take(name, mailbox);
  try {
    return await mailer.send(mail);
  } catch (error) {
    for (const name of names) await limiter.giveBack(name, mailbox);
    throw error;
  }
}

async function tryAgain({ context }: MailServices, purpose: MailPurpose, row: MailRow, error: unknown): Promise<void> {
  const code = error instanceof ApiError ? 'too_many_mails' : adapterErrorCode(error);
  const now = context.clock();
  const pauseSeconds =
    error instanceof ApiError
      ? (error.retryAfterSeconds ?? longestPauseSeconds)
      : Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(row.attempts, 10));
  const longestMs = row.kind === 'code' ? codeMinutes * 60_000 : triedMs;
  const isGivenUp = now.getTime() + pauseSeconds * 1_000 > row.createdAt.getTime() + longestMs;
  if (isGivenUp) return drop({ context }, row, code);
  const attempts = row.attempts + 1;
  // Only the code: the text of a mail server quotes the address.
  context.log.warn({ ...subjectOf(row), attempts, code }, 'A mail could not be sent. It is tried again.');
  await inTransaction(context.db, async (trx) => {
    await updateMail(trx, row.purpose, { attempts, problem: code });
    await context.schedule(trx, 'mail', purpose, pauseSeconds);
  });
}

/** `problem`: null for a mail that is outdated, which is no failure. */
async function drop({ context }: Pick<MailServices, 'context'>, row: MailRow, problem: string | null): Promise<void> {
  await updateMail(context.db, row.purpose, { droppedAt: context.clock(), problem });
  if (problem === null) context.log.info(subjectOf(row), 'A mail is outdated and is not sent.');
  else context.log.warn({ ...subjectOf(row), code: problem }, 'A mail was dropped.');
}

function subjectOf({ applicationId, kind }: MailRow) {
  return { applicationId, kind };
}
