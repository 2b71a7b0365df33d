/**
 * The second proof that the user of a new session is the one whose data is stored: a code sent to the
 * address that was confirmed together with the data. Partners know the last four digits of an SSN;
 * they do not read the mail of their users. Only where the bridge sends mails.
 *
 * 1. The user types the last four digits in a new session. Right ones send the code.
 * 2. The user types the code. Only then the session can use the data.
 *
 * The address is that of the contact page when the SSN was typed; with the signature it becomes that
 * of the signed profile. What a later session writes on its contact page does not count before that
 * session has proved its user. A whole SSN that is typed proves nothing: the user starts again.
 */
import type { Language } from '../../../contract/index.js';
import { findApplicant, findSessionCheck, saveCode, takeCode } from '../../store/applications/applicant-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { type KeyRing, sameHash } from '../keys/keys.js';
import { triesPerDay } from '../limits/limits.js';
import { planMail } from '../mail/mails.js';
import { valuesOf } from './profile/pages.js';
import { topics } from './profile/topics.js';
import type { ApplySession } from './session.js';

/** How long a code is valid. */
export const codeMinutes = 10;

/** How long a session waits before it can have another code. */
export const resendSeconds = 60;

/** Whether a new session needs a code besides the digits. */
export function isCodeRequired({ mailer }: Pick<BridgeContext, 'mailer'>): boolean {
  return mailer !== undefined;
}

/** An address, and its encrypted text, which changes whenever it is stored. */
export interface ProofAddress {
  address: string;
  encrypted: string;
}

/**
 * Finds the address to which the codes of a session are sent: that of its application, or that of an
 * earlier one while the application has no SSN. `undefined` when there is none.
 */
export function findProofAddress(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  { application, saved }: Pick<ApplySession, 'application' | 'saved'>,
): Promise<ProofAddress | undefined> {
  if (saved.identity === undefined) return findApplicantAddress(context, db, application);
  return Promise.resolve(
    decryptAddress(
      context.keys.of(application.mode),
      application.proofEmailEncrypted,
      proofAssociatedData(application),
    ),
  );
}

/** Finds the address of the SSN that is kept for a user's next application. */
export async function findApplicantAddress(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  user: ApplicantUser,
): Promise<ProofAddress | undefined> {
  const { proofEmailEncrypted } = await findApplicant(db, user);
  return decryptAddress(context.keys.of(user.mode), proofEmailEncrypted, applicantProofAssociatedData(user));
}

function decryptAddress(keys: KeyRing, encrypted: string | null, associatedData: string): ProofAddress | undefined {
  if (encrypted === null || !keys.canDecrypt(encrypted)) return undefined;
  return { address: keys.decrypt(encrypted, associatedData), encrypted };
}

/** The confirmed address of the profile; `undefined` before the contact page was completed. */
export function confirmedAddress({ profile }: Pick<ApplySession, 'profile'>): string | undefined {
  if (!profile.confirmed.includes('contact')) return undefined;
  return topics.contact.fields.email.schema.safeParse(valuesOf(profile, 'contact').email).data;
}

/** Encrypts the address of an application's own SSN; null without one. */
export function encryptProofAddress(
  { keys }: Pick<BridgeContext, 'keys'>,
  application: Pick<ApplicationRow, 'id' | 'mode'>,
  address: string | undefined,
): string | null {
  return address === undefined ? null : keys.of(application.mode).encrypt(address, proofAssociatedData(application));
}

/** Encrypts the address of the SSN that is kept for the next application; null without one. */
export function encryptApplicantAddress(
  { keys }: Pick<BridgeContext, 'keys'>,
  user: ApplicantUser,
  address: string | undefined,
): string | null {
  return address === undefined ? null : keys.of(user.mode).encrypt(address, applicantProofAssociatedData(user));
}

type ApplicantUser = Pick<ApplicationRow, 'agencyId' | 'mode' | 'userId'>;

/** The associated data of an application's encrypted address: its row. */
export function proofAssociatedData({ id }: Pick<ApplicationRow, 'id'>): string {
  return `application_email:${id}`;
}

/** The associated data of a user's encrypted address: its row. */
export function applicantProofAssociatedData({ agencyId, mode, userId }: ApplicantUser): string {
  // JSON, because a partner chooses user ids.
  return `applicant_email:${JSON.stringify([agencyId, mode, userId])}`;
}

/** The result of a request for a code. `none`: the user can have no more codes today. */
export type CodeRequest = 'sent' | 'wait' | 'none';

/**
 * Sends a code to a session whose user has typed the right digits. Counted by user and day: a partner
 * can create sessions without end. The caller has locked the row of the user, so that concurrent
 * requests cannot exceed the limit.
 */
export async function sendCode(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { application, link, check }: ApplySession,
  language: Language,
): Promise<CodeRequest> {
  const now = context.clock();
  if (waitSeconds(check.codeSentAt, now) > 0) return 'wait';
  const since = new Date(now.getTime() - triesPerDay.seconds * 1_000);
  if (!(await takeCode(trx, application, { since, max: triesPerDay.codes.max, now }))) return 'none';
  const { sessionId, expiresAt } = link;
  const serial = check.codeSerial + 1;
  await saveCode(trx, { sessionId, applicationId: application.id, expiresAt, codeSerial: serial, codeSentAt: now });
  await planMail(context, trx, { kind: 'code', applicationId: application.id, sessionId, serial, language });
  return 'sent';
}

/** A code that a session waits for. */
export interface AwaitedCode {
  /** The address, such as `a•••@e•••.com`. */
  maskedAddress: string;
  /** Seconds until another code can be sent; 0 when it can be now. */
  waitSeconds: number;
}

/**
 * The code that a session waits for; `undefined` when its digits were not typed, or the session can
 * use its data already.
 */
export async function findAwaitedCode(context: BridgeContext, session: ApplySession): Promise<AwaitedCode | undefined> {
  const { codeSentAt, passedAt } = session.check;
  if (codeSentAt === null || passedAt !== null || !isCodeRequired(context)) return undefined;
  const found = await findProofAddress(context, context.db, session);
  if (!found) return undefined;
  return { maskedAddress: maskAddress(found.address), waitSeconds: waitSeconds(codeSentAt, context.clock()) };
}

/** Whether the newest code of a session has expired. */
export function isCodeExpired(codeSentAt: Date | null, now: Date): boolean {
  return codeSentAt === null || now.getTime() >= codeSentAt.getTime() + codeMinutes * 60_000;
}

/**
 * Whether a text is the newest code of a session. Spaces and dashes, as people read codes, are
 * ignored.
 */
export async function isNewestCode(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  session: ApplySession,
  typed: string,
): Promise<boolean> {
  const found = await findProofAddress(context, db, session);
  if (!found) return false;
  const given = Buffer.from(typed.replace(/[\s-]/g, ''));
  const { link, check } = session;
  const codes = codesOf(context.keys.of(session.application.mode), {
    sessionId: link.sessionId,
    serial: check.codeSerial,
    encrypted: found.encrypted,
  });
  return codes.some((code) => sameHash(Buffer.from(code), given));
}

/** Finds the code for a mail; `undefined` when it has expired, was used, or another one followed. */
export async function findCodeToSend(
  context: BridgeContext,
  session: ApplySession,
  { sessionId, serial }: { sessionId: string; serial: number },
): Promise<{ code: string; address: string } | undefined> {
  const row = await findSessionCheck(context.db, sessionId);
  if (row?.codeSerial !== serial || row.passedAt !== null) return undefined;
  if (isCodeExpired(row.codeSentAt, context.clock())) return undefined;
  const found = await findProofAddress(context, context.db, session);
  if (!found) return undefined;
  const [code = ''] = codesOf(context.keys.of(session.application.mode), {
    sessionId,
    serial,
    encrypted: found.encrypted,
  });
  return { code, address: found.address };
}

/**
 * The code of a session: six digits, by the newest key first. It is derived like the tokens of links
 * and stored nowhere, not even as a hash: a million codes are tried in moments, so that a hash in a
 * copy of the database would be as good as the code, however slow the hash is. This one needs the key
 * of the bridge.
 *
 * It depends on the encrypted address, which is written together with the SSN that the code is for.
 * When that data is replaced, the code is wrong: it must not open the data that came later.
 */
function codesOf(
  keys: KeyRing,
  { sessionId, serial, encrypted }: { sessionId: string; serial: number; encrypted: string },
): string[] {
  const text = JSON.stringify([sessionId, serial, encrypted]);
  // Of 48 bits, so that no code is noticeably more likely than another.
  const digitsOf = (mac: Buffer) => mac.readUIntBE(mac.length - 6, 6) % 1_000_000;
  return keys.macs('mail-code', text).map((mac) => String(digitsOf(mac)).padStart(6, '0'));
}

function waitSeconds(sentAt: Date | null, now: Date): number {
  if (sentAt === null) return 0;
  return Math.max(0, Math.ceil((sentAt.getTime() + resendSeconds * 1_000 - now.getTime()) / 1_000));
}

/** Shows enough of an address for its owner, and not enough to write to it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const first = (text: string) => Array.from(text)[0] ?? '';
  return `${first(local)}•••@${first(domain)}•••${domain.slice(domain.lastIndexOf('.'))}`;
}
