import type { ApplicationStep } from '../../../contract/index.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { type AgencyRow, findAgency, shareAgency } from '../../store/accounts/agency-store.js';
import { findIdentityCheck } from '../../store/applications/applicant-store.js';
import {
  findApplicationById,
  findApplicationByLink,
  lockApplicationByLink,
  lockOwnApplication,
  moveApplication,
} from '../../store/applications/application-store.js';
import { findEarlierSessionByLink } from '../../store/sessions/session-store.js';
import { type ApplicationStepRow, findSteps } from '../../store/applications/step-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import type { BridgeContext } from '../context.js';
import { enqueueEvent } from '../webhooks/events.js';
import { hashToken } from '../keys/keys.js';
import { triesPerDay } from '../limits/limits.js';
import { stepsOf } from './steps.js';
import type { ProfileRecord } from './profile/pages.js';
import { parseRecord } from './profile/prefill.js';

/** The saved data of one step. Only `data` is readable. */
export type SavedStep = Pick<ApplicationStepRow, 'data' | 'encrypted' | 'savedAt' | 'completedAt'>;

/** An application, found by the token of its link. */
export interface ApplySession {
  application: ApplicationRow;
  /** The catalogue release that the application pins, with questions, texts and fees. */
  pinned: Catalogue;
  /** The link that was used. */
  link: SessionLink;
  /** The name of the agency, as the user may see it. */
  agencyName: string;
  /**
   * `stopped`: the agency is deactivated, and its links show nothing of the application.
   * `submitted` takes precedence over `expired`: the receipt stays after the link has expired,
   * unless another session followed.
   */
  phase: 'open' | 'expired' | 'submitted' | 'stopped';
  saved: Partial<Record<ApplicationStep, SavedStep>>;
  /** The record of the profile step; empty before anything was typed. */
  profile: ProfileRecord;
  check: IdentityCheck;
}

/** The identity check of this session. */
export interface IdentityCheck {
  /**
   * When the SSN, or the last four digits of the stored one, were typed in this session; with the
   * digits also the code by mail, where the bridge sends mails.
   */
  passedAt: Date | null;
  /** The number of codes that were sent to this session. */
  codeSerial: number;
  /** When the newest of them was sent. */
  codeSentAt: Date | null;
  /** When the code was typed in this session. */
  codePassedAt: Date | null;
  /** The number of wrong digits and codes within 24 hours, in all sessions of the user. */
  failedCount: number;
}

/** Finds the application for the token of an `applicationUrl`. Changes nothing. */
export async function findSession(context: BridgeContext, token: string): Promise<ApplySession | undefined> {
  const linked = await findLinked(context.db, token);
  return linked && loadSession(context, context.db, linked);
}

/**
 * Records the visit of the user: the first visit starts the application and sends
 * `session_started`.
 */
export async function openSession(context: BridgeContext, token: string): Promise<ApplySession | undefined> {
  const session = await findSession(context, token);
  if (session?.phase !== 'open' || session.application.step !== 'not_started') return session;
  return changeSession(context, token, async (trx, { application }) => {
    // Of two tabs opened at once, the second waits for the lock and finds the application started.
    if (application.step === 'not_started') {
      const now = context.clock();
      await moveApplication(trx, application.id, { step: 'profile', startedAt: now });
      await enqueueEvent(trx, application, 'application.session_started', {}, now);
    }
    return { ...session, application: { ...application, step: 'profile' } };
  });
}

/**
 * Changes an open application in one transaction, one change at a time: a second tab or click waits
 * and then sees the first change. Resolves with `undefined` when the application is not open any
 * more.
 */
export async function changeSession<Result>(
  context: BridgeContext,
  token: string,
  change: (trx: DatabaseTransaction, session: ApplySession) => Promise<Result>,
): Promise<Result | undefined> {
  const result = await inTransaction(context.db, async (trx) => {
    const linked = await lockLinked(trx, token);
    if (!linked) return undefined;
    const session = await loadSession(context, trx, linked);
    return session.phase === 'open' ? change(trx, session) : undefined;
  });
  context.wakeOutbox();
  return result;
}

/**
 * Changes an application in any phase without a link, such as when a payment is settled. Resolves
 * with `undefined` when there is no such application.
 */
export async function changeOwnApplication<Result>(
  context: BridgeContext,
  applicationId: string,
  change: (trx: DatabaseTransaction, session: ApplySession) => Promise<Result>,
): Promise<Result | undefined> {
  const result = await inTransaction(context.db, async (trx) => {
    const found = lockOwnApplication(trx, applicationId).then((row) => row && withNewestLink(row));
    const linked = await withAgency(found, (id) => shareAgency(trx, id));
    return linked && change(trx, await loadSession(context, trx, linked));
  });
  context.wakeOutbox();
  return result;
}

/** Reads an application in any phase without a link, such as for a mail. */
export async function readOwnApplication(
  context: BridgeContext,
  applicationId: string,
): Promise<ApplySession | undefined> {
  const found = findApplicationById(context.db, applicationId).then(withNewestLink);
  const linked = await withAgency(found, (id) => findAgency(context.db, id));
  return linked && loadSession(context, context.db, linked);
}

/**
 * As {@link changeSession}, for a step that the user has reached. Resolves with `undefined` when
 * the user has not reached it.
 */
export function changeStep<Result>(
  context: BridgeContext,
  token: string,
  step: ApplicationStep,
  change: (trx: DatabaseTransaction, session: ApplySession) => Promise<Result>,
): Promise<Result | undefined> {
  return changeSession(context, token, async (trx, session) =>
    isReached(session, step) ? change(trx, session) : undefined,
  );
}

/**
 * Whether a step belongs to the application, is the open one or an earlier one, and can be used in
 * this session. Steps after the SSN require that the SSN or its last digits were typed in this
 * session, because the holder of a new link may be another person.
 */
export function isReached({ application, check }: ApplySession, step: ApplicationStep): boolean {
  const order: readonly string[] = stepsOf(application.paymentMethod);
  const isAllowed = check.passedAt !== null || order.indexOf(step) <= order.indexOf('identity');
  return isAllowed && order.includes(step) && order.indexOf(step) <= order.indexOf(application.step);
}

/**
 * The associated data of an encrypted text: moved to another application or step, it cannot be
 * decrypted.
 */
export function associatedData(applicationId: string, step: ApplicationStep): string {
  return `application_step:${applicationId}:${step}`;
}

/** The record of the profile step. */
export function readRecord(
  { keys }: Pick<BridgeContext, 'keys'>,
  { id, mode }: Pick<ApplicationRow, 'id' | 'mode'>,
  saved: Pick<SavedStep, 'encrypted'> | undefined,
): ProfileRecord {
  const encrypted = saved?.encrypted ?? undefined;
  return parseRecord(encrypted ? keys.of(mode).decrypt(encrypted, associatedData(id, 'profile')) : undefined);
}

function logUnreadable({ log }: BridgeContext, { applicationId, step }: ApplicationStepRow): void {
  log.warn({ applicationId, step }, 'The key for the data of a user is missing: the user is asked again.');
}

async function loadSession(
  context: BridgeContext,
  db: Database,
  { application, link, agency }: LinkedApplication,
): Promise<ApplySession> {
  const saved: ApplySession['saved'] = {};
  for (const row of await findSteps(db, application.id)) {
    if (row.encrypted === null || context.keys.of(application.mode).canDecrypt(row.encrypted)) saved[row.step] = row;
    // Not complete: its content cannot be read at the submission, and only the user can type it
    // again.
    else if (application.submittedAt === null) logUnreadable(context, row);
  }
  const isOver = link.expiresAt <= context.clock();
  const isReceipt = application.submittedAt !== null && !(isOver && link.isEarlier);
  const phase = agency.deactivatedAt !== null ? 'stopped' : isReceipt ? 'submitted' : isOver ? 'expired' : 'open';
  const row = await findIdentityCheck(db, link.sessionId, application, wrongDigitsSince(context));
  const { wrongCount: failedCount, ...passed } = row;
  const check = { ...passed, failedCount };
  const profile = readRecord(context, application, saved.profile);
  const pinned = await context.catalogues.at(db, application.catalogueVersion);
  return { application, pinned, link, agencyName: agency.name, phase, saved, profile, check };
}

/** The start of the period in which wrong digits count. */
export function wrongDigitsSince({ clock }: Pick<BridgeContext, 'clock'>): Date {
  return new Date(clock().getTime() - triesPerDay.seconds * 1_000);
}

/** The link of one session. */
export interface SessionLink {
  sessionId: string;
  /** The return URL of this session. */
  returnUrl: string;
  expiresAt: Date;
  /**
   * Whether another session followed: then the link is invalid after the session's end, in any
   * phase of the application.
   */
  isEarlier: boolean;
}

/** An application and the link that it was found by. */
export interface LinkedApplication {
  application: ApplicationRow;
  link: SessionLink;
  /** The user of the application. */
  agency: AgencyRow;
}

/** The application behind the token of an `applicationUrl`. */
export function findLinked(db: Database, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  const linked = linkedBy(db, hash, findApplicationByLink(db, hash), (id) => findApplicationById(db, id));
  return withAgency(linked, (id) => findAgency(db, id));
}

/**
 * As {@link findLinked}, and locks the application, and the agency against deactivation, until the
 * transaction ends.
 */
export function lockLinked(trx: DatabaseTransaction, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  const linked = linkedBy(trx, hash, lockApplicationByLink(trx, hash), (id) => lockOwnApplication(trx, id));
  return withAgency(linked, (id) => shareAgency(trx, id));
}

async function withAgency(
  linked: Promise<Omit<LinkedApplication, 'agency'> | undefined>,
  agencyOf: (id: string) => Promise<AgencyRow | undefined>,
): Promise<LinkedApplication | undefined> {
  const found = await linked;
  const agency = found && (await agencyOf(found.application.agencyId));
  return agency && { ...found, agency };
}

async function linkedBy(
  db: Database,
  hash: Buffer,
  byNewest: Promise<ApplicationRow | undefined>,
  byId: (id: string) => Promise<ApplicationRow | undefined>,
): Promise<Omit<LinkedApplication, 'agency'> | undefined> {
  const newest = await byNewest;
  if (newest) return withNewestLink(newest);
  // After the newest session, so that a session that is followed by another one meanwhile is found
  // here.
  const earlier = await findEarlierSessionByLink(db, hash);
  const application = earlier && (await byId(earlier.applicationId));
  if (!application) return undefined;
  const { sessionId, returnUrl, expiresAt } = earlier;
  return { application, link: { sessionId, returnUrl, expiresAt, isEarlier: true } };
}

function withNewestLink(application: ApplicationRow): Omit<LinkedApplication, 'agency'> {
  const { sessionId, returnUrl, expiresAt } = application;
  return { application, link: { sessionId, returnUrl, expiresAt, isEarlier: false } };
}
