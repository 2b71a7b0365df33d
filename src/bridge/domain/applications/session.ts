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
import { findEarlierSessionByLink } from '../../store/applications/session-store.js';
import { type ApplicationStepRow, findSteps } from '../../store/applications/step-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { enqueueEvent } from '../events.js';
import { hashToken } from '../keys/keys.js';
import { triesPerDay } from '../limits/limits.js';
import { stepsOf } from '../sessions/steps.js';
import type { ProfileRecord } from './profile/pages.js';
import { parseRecord } from './profile/prefill.js';

/** What is saved in one step. Nothing in it is readable except `data`. */
export type SavedStep = Pick<ApplicationStepRow, 'data' | 'sealed' | 'saved_at' | 'completed_at'>;

/** An application as its user meets it, found by the token of its link. */
export interface ApplySession {
  application: ApplicationRow;
  /** The release of the catalogue that the application pinned: what it asks, in which words, and its fees. */
  pinned: Catalogue;
  /** The link that was used. */
  link: SessionLink;
  /** The name of the agency, as the user may see it. */
  agencyName: string;
  /**
   * Stopped: the agency is deactivated, and its links show nothing of the application. Submitted beats expired: the receipt
   * stays when the link has run out, unless another session followed.
   */
  phase: 'open' | 'expired' | 'submitted' | 'stopped';
  saved: Partial<Record<ApplicationStep, SavedStep>>;
  /** What the profile step keeps; empty before anything was typed in it. */
  profile: ProfileRecord;
  check: IdentityCheck;
}

/** Whether this session has proved its user. */
export interface IdentityCheck {
  /** When the SSN, or the last four digits of the one that is stored, were typed in this session. */
  passedAt: Date | null;
  /** How often they were not those of what is stored, in a day and in all sessions of the user. */
  failedCount: number;
}

/** Finds the application behind the token of an `applicationUrl`. Changes nothing. */
export async function findSession(context: BridgeContext, token: string): Promise<ApplySession | undefined> {
  const linked = await findLinked(context.db, token);
  return linked && loadSession(context, context.db, linked);
}

/** The user arrives: the first time, the application starts and `session_started` is sent. */
export async function openSession(context: BridgeContext, token: string): Promise<ApplySession | undefined> {
  const session = await findSession(context, token);
  if (session?.phase !== 'open' || session.application.step !== 'not_started') return session;
  return changeSession(context, token, async (trx, { application }) => {
    // Two tabs opened at once: the second waits for the lock and finds the application started.
    if (application.step === 'not_started') {
      const now = context.clock();
      await moveApplication(trx, application.id, { step: 'profile', started_at: now });
      await enqueueEvent(trx, application, 'application.session_started', {}, now);
    }
    return { ...session, application: { ...application, step: 'profile' } };
  });
}

/**
 * Changes an open application in one transaction, one change at a time: a second tab or a second click waits and then sees
 * what the first one did. Resolves with `undefined` when the application is not open any more.
 */
export async function changeSession<Result>(
  context: BridgeContext,
  token: string,
  change: (trx: DatabaseTransaction, session: ApplySession) => Promise<Result>,
): Promise<Result | undefined> {
  const result = await context.db.transaction().execute(async (trx) => {
    const linked = await lockLinked(trx, token);
    if (!linked) return undefined;
    const session = await loadSession(context, trx, linked);
    return session.phase === 'open' ? change(trx, session) : undefined;
  });
  context.wakeOutbox();
  return result;
}

/**
 * Changes an application that no link was used for, such as when a payment is settled, whatever its phase is. Resolves with
 * `undefined` when there is no such application.
 */
export async function changeOwnApplication<Result>(
  context: BridgeContext,
  applicationId: string,
  change: (trx: DatabaseTransaction, session: ApplySession) => Promise<Result>,
): Promise<Result | undefined> {
  const result = await context.db.transaction().execute(async (trx) => {
    const found = lockOwnApplication(trx, applicationId).then((row) => row && withNewestLink(row));
    const linked = await withAgency(found, (id) => shareAgency(trx, id));
    return linked && change(trx, await loadSession(context, trx, linked));
  });
  context.wakeOutbox();
  return result;
}

/** As {@link changeSession}, for a step that the user has reached. Resolves with `undefined` when they have not. */
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
 * Whether a step belongs to the application, is the open one or an earlier one, and may be used in this session: nothing behind the
 * SSN may, before it or its last digits were typed here, because whoever was given a new link may not be the one who began.
 */
export function isReached({ application, check }: ApplySession, step: ApplicationStep): boolean {
  const order: readonly string[] = stepsOf(application.payment_method);
  const isAllowed = check.passedAt !== null || order.indexOf(step) <= order.indexOf('identity');
  return isAllowed && order.includes(step) && order.indexOf(step) <= order.indexOf(application.step);
}

/** The row that a sealed text belongs to: moved to another application or step, it does not open. */
export function associatedData(applicationId: string, step: ApplicationStep): string {
  return `application_step:${applicationId}:${step}`;
}

/** What the profile step holds. */
export function readRecord(
  { keys }: Pick<BridgeContext, 'keys'>,
  applicationId: string,
  saved: SavedStep | undefined,
): ProfileRecord {
  const sealed = saved?.sealed ?? undefined;
  return parseRecord(sealed && keys.decrypt(sealed, associatedData(applicationId, 'profile')), saved?.data);
}

function tellUnreadable({ log }: BridgeContext, { application_id: applicationId, step }: ApplicationStepRow): void {
  log.warn({ applicationId, step }, 'The key of what a user typed is not there: the user is asked again.');
}

async function loadSession(
  context: BridgeContext,
  db: Database,
  { application, link, agency }: LinkedApplication,
): Promise<ApplySession> {
  const saved: ApplySession['saved'] = {};
  for (const row of await findSteps(db, application.id)) {
    if (row.sealed === null || context.keys.canDecrypt(row.sealed)) saved[row.step] = row;
    // Not shown as done: its content could not be read when it is submitted, and only the user can type it again.
    else if (application.submitted_at === null) tellUnreadable(context, row);
  }
  const isOver = link.expiresAt <= context.clock();
  const isReceipt = application.submitted_at !== null && !(isOver && link.isEarlier);
  const phase = agency.deactivated_at !== null ? 'stopped' : isReceipt ? 'submitted' : isOver ? 'expired' : 'open';
  const row = await findIdentityCheck(db, link.sessionId, application, wrongDigitsSince(context));
  const check = { passedAt: row.passed_at, failedCount: row.wrong_count };
  const profile = readRecord(context, application.id, saved.profile);
  const pinned = await context.catalogues.at(db, application.catalogue_version);
  return { application, pinned, link, agencyName: agency.name, phase, saved, profile, check };
}

/** Wrong digits count from then on. */
export function wrongDigitsSince({ clock }: Pick<BridgeContext, 'clock'>): Date {
  return new Date(clock().getTime() - triesPerDay.seconds * 1_000);
}

/** The link of one session. */
export interface SessionLink {
  sessionId: string;
  /** Where it leads back to: each session has its own. */
  returnUrl: string;
  expiresAt: Date;
  /** Whether another session followed: then the link is dead after its end, whatever became of the application. */
  isEarlier: boolean;
}

/** An application and the link that it was found by. */
export interface LinkedApplication {
  application: ApplicationRow;
  link: SessionLink;
  /** Whom the application is for. */
  agency: AgencyRow;
}

/** The application behind the token of an `applicationUrl`. */
export function findLinked(db: Database, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  const linked = linkedBy(db, hash, findApplicationByLink(db, hash), (id) => findApplicationById(db, id));
  return withAgency(linked, (id) => findAgency(db, id));
}

/** As {@link findLinked}, and nobody else changes the application, nor deactivates the agency, until the transaction ends. */
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
  const agency = found && (await agencyOf(found.application.agency_id));
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
  // After the newest: a session that is followed by another one in between is found here.
  const earlier = await findEarlierSessionByLink(db, hash);
  const application = earlier && (await byId(earlier.application_id));
  if (!application) return undefined;
  const { session_id: sessionId, return_url: returnUrl, expires_at: expiresAt } = earlier;
  return { application, link: { sessionId, returnUrl, expiresAt, isEarlier: true } };
}

function withNewestLink(application: ApplicationRow): Omit<LinkedApplication, 'agency'> {
  const { session_id: sessionId, return_url: returnUrl, expires_at: expiresAt } = application;
  return { application, link: { sessionId, returnUrl, expiresAt, isEarlier: false } };
}
