import {
  findApplicant,
  deleteOtherChecks,
  lockWrongDigits,
  savePassedCheck,
  saveWrongDigits,
} from '../../store/applications/applicant-store.js';
import { deleteSteps } from '../../store/applications/step-store.js';
import type { Language } from '../../../contract/index.js';
import { saveProofEmail } from '../../store/applications/application-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { sameHash } from '../keys/keys.js';
import { triesPerDay } from '../limits/limits.js';
import {
  type CodeRequest,
  confirmedAddress,
  encryptProofAddress,
  findApplicantAddress,
  findProofAddress,
  isCodeExpired,
  isCodeRequired,
  isNewestCode,
  maskAddress,
  sendCode,
} from './proof-code.js';
import { type ApplySession, changeSession, changeStep, findSession, wrongDigitsSince } from './session.js';
import { completeStep, readSecret } from './step.js';

/** The source of an application's SSN: the only information about it that a page receives. */
export type SsnSource = 'typed' | 'earlier';

/** The stored SSN that a session can use, and whether its last four digits must be typed first. */
export interface SsnOffer {
  /** `keep`: the SSN of this application; `earlier`: the SSN of an earlier application. */
  use: 'keep' | 'earlier';
  needsDigits: boolean;
  /** The address to which a code is sent after the digits; `undefined` where none is needed. */
  maskedAddress?: string | undefined;
}

/**
 * The result of a check of the last four digits. `ended`: they were wrong too often, and for 24
 * hours no session of the user can use earlier data.
 */
export type CheckResult = 'passed' | 'wrong' | 'ended';

/**
 * Finds the stored SSN that a session can use; `undefined` when there is none, the digits were wrong
 * too often, or a code is required and there is no address for it.
 */
export async function findSsnOffer(context: BridgeContext, session: ApplySession): Promise<SsnOffer | undefined> {
  const isOwn = ssnSource(session) !== undefined;
  if (isOwn && session.check.passedAt !== null) return { use: 'keep', needsDigits: false };
  if (isReuseEnded(session)) return undefined;
  if (!isOwn && (await readEarlierSsn(context, context.db, session)) === undefined) return undefined;
  const use = isOwn ? 'keep' : 'earlier';
  if (!isCodeRequired(context)) return { use, needsDigits: true };
  const found = await findProofAddress(context, context.db, session);
  return found && { use, needsDigits: true, maskedAddress: maskAddress(found.address) };
}

/**
 * Whether the daily maximum of wrong digits, in all sessions of the user, is reached, so that this
 * session cannot use earlier data.
 */
export function isReuseEnded({ check }: Pick<ApplySession, 'check'>): boolean {
  return check.failedCount >= triesPerDay.wrongLastFour.max;
}

/**
 * Completes the identity step with an SSN that the user typed: nine digits. In a session without an
 * identity check, an SSN that differs from the stored one also deletes the answers given with the
 * stored one. Where a code is required, the same SSN does, too: it proves no more than its digits.
 */
export function saveTypedSsn(context: BridgeContext, token: string, ssn: string): Promise<true | undefined> {
  return changeStep(context, token, 'identity', async (trx, opened) => {
    const session = await lockTries(context, trx, opened);
    const { application, link, check } = session;
    const before = readSecret(context, session, 'identity');
    const isUnchanged = before !== undefined && sameDigits(before, ssn);
    const mustMatch = check.passedAt === null && before !== undefined;
    const known = mustMatch ? before : await readEarlierSsn(context, trx, session);
    // Counted like wrong digits: otherwise the offer of earlier answers would reveal whether a
    // guess was right.
    const isWrong = known !== undefined && !sameDigits(known, ssn);
    const isProof = isUnchanged && !isReuseEnded(session) && !isCodeRequired(context);
    const isSameUser = check.passedAt !== null || isProof;
    if (!isSameUser) await deleteSteps(trx, application.id, ['background', 'disclosures']);
    if (!isUnchanged) await deleteOtherChecks(trx, application.id, link.sessionId);
    const source: SsnSource = 'typed';
    await completeStep(context, trx, session, 'identity', { data: { source }, secret: ssn });
    // Not when the SSN was there before: its address stays the one that was confirmed with it.
    if (!isUnchanged || !isSameUser) {
      await saveProofEmail(trx, application.id, encryptProofAddress(context, application, confirmedAddress(session)));
    }
    if (check.passedAt === null) await savePassed(trx, session, context.clock(), null);
    if (isWrong) await saveWrongDigits(trx, application, check.failedCount + 1, context.clock());
    return true as const;
  });
}

/** As {@link CheckResult}; `code`: the digits are right, and the code by mail follows. */
export type ReuseResult = CheckResult | 'code' | 'no_code';

/**
 * Continues with the stored SSN of this or an earlier application, after its last four digits were
 * typed in this session. Where a code is required, right digits send it: `code`, or `no_code` when
 * the user can have no more of them today. Resolves with `undefined` when there is no SSN.
 */
export function reuseSsn(
  context: BridgeContext,
  token: string,
  lastFour: string,
  language: Language,
): Promise<ReuseResult | undefined> {
  return changeStep(context, token, 'identity', async (trx, opened) => {
    const session = await lockTries(context, trx, opened);
    const { check } = session;
    const own = readSecret(context, session, 'identity');
    if (own !== undefined && check.passedAt !== null) return 'passed';
    if (isReuseEnded(session)) return 'ended';
    const stored = own ?? (await readEarlierSsn(context, trx, session));
    if (stored === undefined) return undefined;
    if (!sameDigits(stored.slice(-4), lastFour)) {
      const failed = { ...check, failedCount: check.failedCount + 1 };
      await saveWrongDigits(trx, session.application, failed.failedCount, context.clock());
      return isReuseEnded({ check: failed }) ? 'ended' : 'wrong';
    }
    if (isCodeRequired(context)) {
      if (!(await findProofAddress(context, trx, session))) return undefined;
      return (await sendCode(context, trx, session, language)) === 'none' ? 'no_code' : 'code';
    }
    await takeStored(context, trx, session, { own, stored, codePassedAt: null });
    return 'passed';
  });
}

/**
 * Continues with the stored SSN after the code that was sent to its address. Wrong codes count
 * together with wrong digits. Resolves with `undefined` when the session waits for none.
 */
export function useCode(
  context: BridgeContext,
  token: string,
  code: string,
): Promise<CheckResult | 'expired' | undefined> {
  return changeStep(context, token, 'identity', async (trx, opened) => {
    const session = await lockTries(context, trx, opened);
    const { check } = session;
    if (check.codeSentAt === null || !isCodeRequired(context)) return undefined;
    if (check.passedAt !== null) return 'passed';
    if (isReuseEnded(session)) return 'ended';
    const now = context.clock();
    if (isCodeExpired(check.codeSentAt, now)) return 'expired';
    const own = readSecret(context, session, 'identity');
    const stored = own ?? (await readEarlierSsn(context, trx, session));
    if (stored === undefined) return undefined;
    if (!(await isNewestCode(context, trx, session, code))) {
      const failed = { ...check, failedCount: check.failedCount + 1 };
      await saveWrongDigits(trx, session.application, failed.failedCount, now);
      return isReuseEnded({ check: failed }) ? 'ended' : 'wrong';
    }
    await takeStored(context, trx, session, { own, stored, codePassedAt: now });
    return 'passed';
  });
}

/**
 * Sends another code to a session that waits for one. Resolves with `undefined` when it waits for
 * none.
 */
export function resendCode(
  context: BridgeContext,
  token: string,
  language: Language,
): Promise<CodeRequest | undefined> {
  return changeStep(context, token, 'identity', async (trx, opened) => {
    const session = await lockTries(context, trx, opened);
    const { codeSentAt, passedAt } = session.check;
    if (codeSentAt === null || passedAt !== null || isReuseEnded(session) || !isCodeRequired(context)) return undefined;
    return sendCode(context, trx, session, language);
  });
}

/** Uses the stored SSN in a session that has proved its user. */
async function takeStored(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  { own, stored, codePassedAt }: { own: string | undefined; stored: string; codePassedAt: Date | null },
): Promise<void> {
  const { application } = session;
  const source: SsnSource = 'earlier';
  if (own === undefined) {
    const found = await findApplicantAddress(context, trx, application);
    await completeStep(context, trx, session, 'identity', { data: { source }, secret: stored });
    await saveProofEmail(trx, application.id, encryptProofAddress(context, application, found?.address));
  }
  await savePassed(trx, session, context.clock(), codePassedAt);
}

/**
 * Checks digits against the last four of this application's SSN, also in a session with a
 * successful identity check. Wrong ones are counted together with those of {@link reuseSsn}.
 */
export async function checkLastFour(
  context: BridgeContext,
  trx: DatabaseTransaction,
  opened: ApplySession,
  lastFour: string,
): Promise<CheckResult> {
  const session = await lockTries(context, trx, opened);
  if (isReuseEnded(session)) return 'ended';
  const own = readSecret(context, session, 'identity');
  if (own !== undefined && sameDigits(own.slice(-4), lastFour)) return 'passed';
  const failed = { ...session.check, failedCount: session.check.failedCount + 1 };
  await saveWrongDigits(trx, session.application, failed.failedCount, context.clock());
  return isReuseEnded({ check: failed }) ? 'ended' : 'wrong';
}

/**
 * Copies the identity check when an open page continues with another link of its application, so
 * that the user does not type the digits again. Only while the previous link is valid: that link
 * gives the same access, so the user gains nothing.
 */
export async function copyIdentityCheck(context: BridgeContext, fromToken: string, toToken: string): Promise<void> {
  const from = await findSession(context, fromToken);
  const { passedAt = null, codePassedAt = null } = from?.check ?? {};
  if (from?.phase !== 'open' || passedAt === null) return;
  await changeSession(context, toToken, async (trx, to) => {
    if (to.application.id !== from.application.id || to.check.passedAt !== null) return;
    await savePassed(trx, to, passedAt, codePassedAt);
  });
}

/**
 * Whether this session can reuse the answers of an earlier application: both have the same SSN and,
 * where a code is required, the code went to the address of the earlier one. Otherwise a thief
 * who knows the SSN could begin an application with another address, and prove that address.
 */
export async function mayReuseAnswers(context: BridgeContext, db: Database, session: ApplySession): Promise<boolean> {
  if (session.check.passedAt === null || isReuseEnded(session)) return false;
  if (isCodeRequired(context) && !(await isProvedForEarlier(context, db, session))) return false;
  const own = readSecret(context, session, 'identity');
  const earlier = await readEarlierSsn(context, db, session);
  return own !== undefined && earlier !== undefined && sameDigits(own, earlier);
}

async function isProvedForEarlier(context: BridgeContext, db: Database, session: ApplySession): Promise<boolean> {
  if (session.check.codePassedAt === null) return false;
  const [proved, earlier] = [
    await findProofAddress(context, db, session),
    await findApplicantAddress(context, db, session.application),
  ];
  return proved !== undefined && proved.address.toLowerCase() === earlier?.address.toLowerCase();
}

async function readEarlierSsn(
  { keys }: BridgeContext,
  db: Database,
  { application }: ApplySession,
): Promise<string | undefined> {
  const { ssnEncrypted: encrypted } = await findApplicant(db, application);
  const ring = keys.of(application.mode);
  return encrypted !== null && ring.canDecrypt(encrypted)
    ? ring.decrypt(encrypted, applicantAssociatedData(application))
    : undefined;
}

/**
 * In constant time, so that the duration does not reveal how many leading digits of a guess are
 * right.
 */
function sameDigits(left: string, right: string): boolean {
  return sameHash(Buffer.from(left), Buffer.from(right));
}

/** Counts again under the lock of the user, because another session may have tried meanwhile. */
async function lockTries(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
): Promise<ApplySession> {
  const failedCount = await lockWrongDigits(trx, session.application, wrongDigitsSince(context));
  return { ...session, check: { ...session.check, failedCount } };
}

function savePassed(
  trx: DatabaseTransaction,
  { application, link }: ApplySession,
  passedAt: Date,
  codePassedAt: Date | null,
): Promise<void> {
  return savePassedCheck(trx, {
    sessionId: link.sessionId,
    applicationId: application.id,
    expiresAt: link.expiresAt,
    passedAt,
    codePassedAt,
  });
}

/** The source of this application's SSN; `undefined` before the step is complete. */
function ssnSource(session: ApplySession): SsnSource | undefined {
  return session.saved.identity?.data['source'] as SsnSource | undefined;
}

/** The SSN for the departments, and encrypted for the user's next application. */
export function takeSsn(
  context: BridgeContext,
  session: ApplySession,
): { last4: string; encryptedForApplicant: string } {
  const ssn = readSecret(context, session, 'identity');
  if (!ssn) throw new Error('The identity step is not complete.');
  const keys = context.keys.of(session.application.mode);
  return {
    last4: ssn.slice(-4),
    encryptedForApplicant: keys.encrypt(ssn, applicantAssociatedData(session.application)),
  };
}

/** The associated data of an applicant's encrypted SSN: its row. */
export function applicantAssociatedData(application: Pick<ApplicationRow, 'agencyId' | 'mode' | 'userId'>): string {
  // JSON, because a partner chooses user ids and could otherwise construct the associated data of
  // another user.
  return `applicant:${JSON.stringify([application.agencyId, application.mode, application.userId])}`;
}
