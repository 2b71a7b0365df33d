import { findApplicationStates } from '../../store/applications/application-store.js';
import { type ApplicantKey, lockApplicant, updateApplicant } from '../../store/applications/applicant-store.js';
import { findDocuments } from '../../store/documents/document-store.js';
import { findMailsOf } from '../../store/mail/mail-store.js';
import { findListedPayments } from '../../store/payments/payment-list-store.js';
import { eraseApplications, findWaiting, lockApplicationsOf } from '../../store/retention/erasure-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { listNotes } from '../applications/notes.js';
import { findApplicantAddress } from '../applications/proof-code.js';
import { decryptApplication } from '../applications/reveal.js';
import { type AuditAction, type AuditActor, recordAudit, recordAudits } from '../audit/audit.js';
import type { PinnedCatalogues } from '../catalogue/catalogues.js';
import type { BridgeContext } from '../context.js';
import { documentName } from '../documents/documents.js';
import { documentSubject } from '../documents/subject.js';
import { voidPayment } from '../payments/operations.js';
import { endLinks } from '../sessions/revoke-links.js';

/*
 * The rights of one person: to receive their data, and to have it erased. A legal hold forbids the
 * erasure, also that of ended applications after the retention period. A person is one user of one
 * agency in one mode: the bridge does not know that two of them are the same person.
 */

type ExportContext = Pick<BridgeContext, 'db' | 'keys'> & { catalogues: PinnedCatalogues };

/** A request about one user, by an operator. */
export interface UserRequest extends ApplicantKey {
  actor: AuditActor;
  /** Why, for the audit trail. */
  reason: string;
}

/**
 * Reads everything that the bridge stores about a user, for the user. SSNs are masked, because who
 * receives an export may not be who asked for it. Documents are listed without their content.
 * Resolves with `undefined` when there is no such user.
 */
export async function exportUser(context: ExportContext & Pick<BridgeContext, 'clock'>, request: UserRequest) {
  const found = await inTransaction(context.db, async (trx) => {
    const applications = await lockApplicationsOf(trx, request);
    const applicant = await lockApplicant(trx, request);
    if (applicant === undefined) return undefined;
    await audit(trx, context, request, 'user.exported', String(applications.length));
    return { applicant, applications };
  });
  if (found === undefined) return undefined;
  const { applicant, applications } = found;
  return {
    agencyId: applicant.agencyId,
    mode: applicant.mode,
    userId: applicant.userId,
    syncedProfile: applicant.profile,
    heldSince: applicant.heldAt?.toISOString(),
    addressForCodes: (await findApplicantAddress(context, context.db, applicant))?.address,
    applications: await Promise.all(applications.map((application) => exportApplication(context, application))),
  };
}

async function exportApplication(context: ExportContext, application: ApplicationRow) {
  const { id, applicationType, licenseType, createdAt, submittedAt, erasedAt, receiptNumber, feeLines } = application;
  const [{ ssn, unreadable, ...input }, states, documents, payments, mails, notes] = await Promise.all([
    decryptApplication(context, application),
    findApplicationStates(context.db, id),
    findDocuments(context.db, id),
    findListedPayments(context.db, { scope: 'all', applicationId: id, limit: 100 }),
    findMailsOf(context.db, id),
    listNotes(context, application),
  ]);
  return {
    applicationId: id,
    applicationType,
    licenseType,
    createdAt,
    submittedAt,
    erasedAt,
    receiptNumber,
    states: application.states.map((state) => {
      const row = states.find((each) => each.state === state);
      return { state, status: row?.status, reason: row?.reason ?? undefined, ...row?.issuedLicense };
    }),
    feeLines,
    ssn: ssn === '' ? '' : `***-**-${ssn.slice(-4)}`,
    ...input,
    documents: documents.map((row) => ({
      name: documentName(context, application.mode, row),
      subject: documentSubject(context, application.mode, row),
      type: row.type,
      uploadedAt: row.createdAt,
    })),
    payments: payments.map(({ id: paymentId, state, status, amountCents, refundedCents, createdAt: at }) => ({
      ...{ paymentId, state: state ?? undefined, status, amountCents, refundedCents, createdAt: at },
    })),
    mails: mails.map(({ kind, createdAt: at, sentAt }) => ({ kind, createdAt: at, sentAt })),
    notes: notes.map(({ text, createdAt: at }) => ({ text, createdAt: at })),
    unreadable,
  };
}

/**
 * The result of an erasure. Nothing is erased while a hold is in force, or while an application
 * waits for a department: its package must stay until the department has decided.
 */
export type UserErasure =
  { status: 'erased'; applications: number } | { status: 'held' } | { status: 'waiting'; applicationIds: string[] };

/**
 * Erases what a user typed and uploaded in all applications, and what the partner synced; ends all
 * links, and releases money that was only reserved. Statuses, payments and the audit trail stay.
 * Resolves with `undefined` when there is no such user.
 */
export async function eraseUser(
  context: Pick<BridgeContext, 'db' | 'clock' | 'links' | 'schedule'>,
  request: UserRequest,
): Promise<UserErasure | undefined> {
  return inTransaction(context.db, async (trx): Promise<UserErasure | undefined> => {
    const applications = await lockApplicationsOf(trx, request);
    const applicant = await lockApplicant(trx, request);
    if (applicant === undefined) return undefined;
    if (applicant.heldAt !== null) return { status: 'held' };
    const ids = applications.map(({ id }) => id);
    const waiting = await findWaiting(trx, ids);
    if (waiting.length > 0) return { status: 'waiting', applicationIds: waiting };
    for (const application of applications) {
      await endLinks(trx, context, application);
      if (application.submittedAt === null) await voidPayment(context, trx, application.id);
    }
    const kept = applications.filter(({ erasedAt }) => erasedAt === null);
    if (kept.length > 0) {
      const keptIds = kept.map(({ id }) => id);
      await eraseApplications(trx, keptIds, context.clock());
      const { agencyId, mode, actor } = request;
      const entry = { agencyId, mode, actor, action: 'application.erased', result: 'done' } as const;
      await recordAudits(
        trx,
        context,
        keptIds.map((subject) => ({ ...entry, subject })),
      );
    }
    const erased = { profile: '{}', ssnEncrypted: null, answersSubmittedAt: null, proofEmailEncrypted: null };
    await updateApplicant(trx, request, erased);
    await audit(trx, context, request, 'user.erased', String(kept.length));
    return { status: 'erased', applications: kept.length };
  });
}

/**
 * Begins or ends a legal hold on the data of a user. Without effect when it is as wanted already.
 * Resolves with `undefined` when there is no such user, else with whether it changed.
 */
export function setHold(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  request: UserRequest,
  isHeld: boolean,
): Promise<boolean | undefined> {
  return inTransaction(context.db, async (trx) => {
    const applicant = await lockApplicant(trx, request);
    if (applicant === undefined) return undefined;
    if ((applicant.heldAt !== null) === isHeld) return false;
    await updateApplicant(trx, request, { heldAt: isHeld ? context.clock() : null });
    await audit(trx, context, request, isHeld ? 'user.held' : 'user.hold_ended', 'done');
    return true;
  });
}

function audit(
  trx: DatabaseTransaction,
  context: Pick<BridgeContext, 'clock'>,
  { agencyId, mode, userId, actor, reason }: UserRequest,
  action: AuditAction,
  result: string,
): Promise<void> {
  return recordAudit(trx, context, { agencyId, mode, actor, action, subject: userId, result, note: reason });
}
