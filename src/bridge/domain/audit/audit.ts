import type { Mode } from '../../../contract/index.js';
import {
  type AuditEntryRow,
  findAuditEntries,
  insertAuditEntries,
  type AuditWhere,
} from '../../store/audit/audit-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { currentRequestId } from '../request-id.js';

/** The recorded actions and their possible results. */
export const auditActions = {
  'ssn.look_up': 'A producer was looked up by SSN: `hit` or `miss`.',
  'answers.shown': 'A user requested their own answers with the last four digits of the SSN: `shown` or `refused`.',
  'credential.issued': 'A credential was issued, and the previous one ended with its tokens: `done`.',
  'credential.reset': 'The secrets of a credential were replaced and its tokens ended: `done`.',
  'account.updated': 'The settings of an agency in one mode were changed: the names of the given fields.',
  'producer.onboarded': 'A producer was onboarded, and subscribed to: the onboard type.',
  'bulk.started': 'A bulk onboarding was started: its onboard type and the number of producers.',
  'subscription.added': 'Producers were subscribed to; a single one is the subject: their number.',
  'subscription.removed': 'Subscriptions of producers were ended; a single one is the subject: their number.',
  'territory.assigned': 'A territory was assigned to a producer: `done`.',
  'territory.unassigned': 'A territory was removed from a producer: `done`.',
  'agency.created': 'An agency was created: `done`.',
  'agency.updated': 'The name or the onboard types of an agency were changed: `done`.',
  'agency.deactivated': 'An agency was deactivated: `done`.',
  'agency.activated': 'An agency was activated again: `done`.',
  'webhook_secret.created': 'The webhooks of an agency are signed from then on, with a new secret: `done`.',
  'webhook_secret.ended': 'The webhooks of an agency are no longer signed: `done`.',
  'payment.authorized': 'The fees of a signed application were reserved: `done`.',
  'payment.captured': 'The fees were captured: `done`, or why the processor refused.',
  'payment.voided': 'Reserved fees were released: `done`, or why the processor refused.',
  'payment.refund_requested': 'An operator decided to refund fees: the amount in cents.',
  'payment.refunded': 'Fees were refunded: `done`, or why the processor refused.',
  'state.decided': 'The decision of a state was entered: its status. The note is the further fee, if it asks for one.',
  'state.overridden': 'A state without a filing reference was decided in live mode, for the reason noted: its status.',
  'state.corrected':
    'A decision that was entered by mistake was corrected, for the reason noted: the new status, the wrong one, and the number of its entry.',
  'correction.proposed': 'An operator proposed a correction, for the reason noted: the new status.',
  'correction.withdrawn': 'A proposed correction was withdrawn: the status that was proposed.',
  'refund.proposed': 'An operator proposed a refund, for the reason noted: the amount in cents.',
  'refund.withdrawn': 'A proposed refund was withdrawn: the amount in cents.',
  'application.searched':
    'An operator searched for an application by `id`, `receipt`, `reference`, `npn`, `phone`, `email` or `name`: which of them.',
  'application.revealed':
    'The SSN and the answers of an application were shown to an operator, for the reason noted: `shown`.',
  'template.added': 'A supervisor added a template for the reason of decisions: `done`.',
  'template.removed': 'A supervisor removed a template for the reason of decisions: `done`.',
  'note.added': 'An operator wrote a note about an application for their colleagues: `done`.',
  'links.revoked': 'An operator ended all links of an application, for the reason noted: `done`.',
  'document.read':
    'A document that a user uploaded was shown to an operator who has claimed its filing, or for the reason noted: `shown`.',
  'filing.assigned': 'A supervisor gave a filing to a colleague: the colleague.',
  'filing.claimed': 'An operator took a filing from the queue: `done`.',
  'filing.list_exported': 'An operator downloaded a list of filings with names: the number of filings.',
  'filing.released':
    'An operator returned a filing to the queue; a supervisor that of a colleague, for the reason noted: `done`.',
  'filing.filed': 'An application was filed with a state: `done`.',
  'filing.reference_corrected': 'An operator corrected the reference of a filing: `done`. The note has both.',
  'filing.held':
    'An operator recorded what a state waits for: `fingerprints`, `correction`, or `nothing` when it continues.',
  'filing.package_read':
    'The gateway, the operator who has claimed it, or one for the reason noted read the package or the fields of the form of a filing, including the SSN: `shown`.',
  'webhook.replayed': 'A dead-lettered webhook is sent again: `done`.',
  'database.migrated': 'A step of a migration of the tables ran; the subject is its name: `done`.',
  'catalogue.imported': 'A release of the catalogue was stored, also the one of a new version of the bridge: `done`.',
  'territory.imported': 'A territory of an agency was imported: `created` or `updated`.',
  'registry.generated':
    'Synthetic producers were added to a registry: `started`, and at the end the number of new producers.',
  'registry.imported':
    'A file, whose digest is the subject, was imported into a registry: `started`, and at the end the number of new and changed producers.',
  'application.erased': 'The data of the user in an ended application was erased: `done`.',
  'user.exported': 'The data of a user was exported, for the reason noted: the number of applications.',
  'user.erased': 'The data of a user was erased, for the reason noted: the number of applications.',
  'user.held': 'A legal hold on the data of a user began, for the reason noted: `done`.',
  'user.hold_ended': 'A legal hold on the data of a user ended, for the reason noted: `done`.',
  'keys.entered':
    'A key of the bridge was used for the first time: `first`, `changed`, or `trusted` where none of its keys was known.',
  'keys.re_encrypted':
    'Data of older keys was encrypted with the newest key: `started`, and at the end the number of texts.',
  'keys.forgotten': 'The ids of older keys, which nothing needs any more, were deleted: the number of keys.',
  'links.renewed': 'Links of older keys were replaced: `started`, and at the end the number of links.',
  'operator.created':
    'An operator of the console was created, at the command line or by the first sign-in through the identity provider: `done`.',
  'operator.disabled': 'An operator was disabled, and their sessions ended: `done`.',
  'operator.enabled': 'A disabled operator may sign in again: `done`.',
  'operator.role_changed':
    'The role of an operator was changed, at the command line or by the claims of a sign-in: the new role.',
  'operator.agencies_changed':
    'The agencies that an operator is limited to were changed, and their sessions ended: `all`, or their ids.',
  'operator.totp_changed':
    'The authenticator app of an operator changed: `replaced` or `removed` in a reset, or `set_up` by the operator.',
  'operator.reset': 'An operator received a new password, and their sessions ended: `done`.',
  'operator.sign_in':
    'A sign-in to the console: `done`, `refused`, `too_many_codes` after a right password, or `no_role` or `no_agency` by the claims of the identity provider.',
  'operator.emergency_sign_in': 'An operator signed in with a password although there is an identity provider: `done`.',
  'operator.sign_out': 'An operator signed out: `done`.',
  'operator.reauthenticated':
    'An operator was asked for a fresh code, password or sign-in at the identity provider before a grave act: `done` or `refused`.',
  'operator.password_changed': 'An operator chose a new password, and their other sessions ended: `done`.',
} as const satisfies Record<string, string>;

/** A recorded action. */
export type AuditAction = keyof typeof auditActions;

/** The actions by which an operator is shown what a user typed or uploaded. */
export const revealingActions = [
  'application.revealed',
  'document.read',
  'filing.package_read',
] as const satisfies readonly AuditAction[];

/**
 * The actor: a credential, the account of the operating system at the command line and the name
 * that it gave (`cli:ACCOUNT` or `cli:ACCOUNT/NAME`), an operator of the console by id, the holder
 * of an agencyId without a credential, the filing gateway, an unknown person at the sign-in of the
 * console, the user of a link, or the bridge: its jobs, its start, what it reads in the claims of a
 * sign-in, and the program that embeds it.
 */
export type AuditActor =
  | `credential:${string}`
  | `cli:${string}`
  | `operator:${string}`
  | 'agencyId'
  | 'gateway'
  | 'unknown'
  | 'user'
  | 'bridge';

/** The context of a change: its database, its clock and its actor. */
export interface AuditedContext {
  db: Database;
  /** Returns the current time. */
  clock: () => Date;
  /** The command line sets its own. Default: the bridge. */
  actor?: AuditActor;
}

/** The actor of a context. */
export function actorOfContext({ actor = 'bridge' }: Pick<AuditedContext, 'actor'>): AuditActor {
  return actor;
}

/** A partner, as the caller of an operation. */
export interface Requester {
  agencyId: string;
  mode: Mode;
  credentialId: string;
}

/** The common fields of an action that a partner requests through the API. */
export function requestedBy({ agencyId, mode, credentialId }: Requester) {
  return { agencyId, mode, actor: `credential:${credentialId}` } as const;
}

/** An action to record. No field may contain an SSN, an answer, a secret or a name. */
export interface AuditRecord {
  /** "" for actions without an agency, such as a sign-in to the console. */
  agencyId: string;
  /** Absent for actions that belong to both modes. */
  mode?: Mode;
  actor: AuditActor;
  action: AuditAction;
  /** The id of its subject; "" where nothing was found. */
  subject: string;
  /** See {@link auditActions}. */
  result: string;
  /** The reason that an operator gave. Absent where no reason is asked for. */
  note?: string | undefined;
}

/** An entry of the audit trail. */
export interface AuditEntry extends Omit<AuditRecord, 'mode' | 'actor' | 'action' | 'note'> {
  id: number;
  at: string;
  /** "" for actions that belong to both modes. */
  mode: Mode | '';
  actor: string;
  action: string;
  /** The id of the request, job or command; "" when there was none. */
  requestId: string;
  /** "" where no reason was given. */
  note: string;
}

/**
 * Records an action. `db` is the transaction of the action, where there is one. Without a
 * transaction, record first and respond afterwards.
 */
export function recordAudit(db: Database, context: Pick<AuditedContext, 'clock'>, record: AuditRecord): Promise<void> {
  return recordAudits(db, context, [record]);
}

/** Records actions of one transaction. */
export async function recordAudits(
  db: Database,
  context: Pick<AuditedContext, 'clock'>,
  records: readonly AuditRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const at = context.clock();
  const requestId = currentRequestId() ?? null;
  const rows = records.map(({ mode, note, ...record }) => ({
    ...record,
    at,
    mode: mode ?? null,
    requestId,
    note: note ?? null,
  }));
  await insertAuditEntries(db, rows);
}

/**
 * Records a change that takes many transactions: its start before the first one, so that nothing
 * changes without an entry when it is interrupted, and its result after the last one.
 *
 * @param resultOf The number that the result contains.
 */
export async function recordLongChange<Outcome>(
  context: AuditedContext,
  change: Pick<AuditRecord, 'action' | 'subject' | 'mode'>,
  work: () => Promise<Outcome>,
  resultOf: (outcome: Outcome) => number,
): Promise<Outcome> {
  const record = { agencyId: '', actor: actorOfContext(context), ...change };
  await recordAudit(context.db, context, { ...record, result: 'started' });
  const outcome = await work();
  await recordAudit(context.db, context, { ...record, result: String(resultOf(outcome)) });
  return outcome;
}

/** Reads the audit trail, newest entry first. */
export async function readAudit(context: Pick<AuditedContext, 'db'>, filter: AuditWhere): Promise<AuditEntry[]> {
  const rows = await findAuditEntries(context.db, filter);
  return rows.map(entryOf);
}

/** An entry of a row. */
export function entryOf(row: AuditEntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    agencyId: row.agencyId,
    mode: row.mode ?? '',
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    requestId: row.requestId ?? '',
    result: row.result,
    note: row.note ?? '',
  };
}
