import type { Mode } from '../../contract/index.js';
import { findAuditEntries, insertAuditEntry, type AuditWhere } from '../store/accounts/audit-store.js';
import type { Database } from '../store/tables/typed-database.js';
import type { BridgeContext } from './context.js';
import { currentRequestId } from './request-id.js';

/** What is recorded, and what its result may be. */
export const auditActions = {
  'ssn.look_up': 'A producer was looked up by SSN: `hit` or `miss`.',
  'ssn.revealed': 'An SSN was shown to a person: `shown`.',
  'answers.shown': 'A user asked for their own answers with the last four digits of the SSN: `shown` or `refused`.',
  'credential.issued': 'A credential was issued, and the one before it ended with its tokens: `done`.',
  'credential.reset': 'The secrets of a credential were replaced and its tokens ended: `done`.',
  'agency.created': 'An agency was created: `done`.',
  'agency.updated': 'The name or the onboard types of an agency were changed: `done`.',
  'agency.deactivated': 'An agency was deactivated: `done`.',
  'agency.activated': 'An agency was activated again: `done`.',
  'webhook_secret.created': 'The webhooks of an agency are signed from then on, with a new secret: `done`.',
  'webhook_secret.ended': 'The webhooks of an agency are no longer signed: `done`.',
  'payment.authorized': 'The fees of a signed application were reserved: `done`.',
  'payment.captured': 'The fees were taken: `done`, or why the processor refused.',
  'payment.voided': 'Reserved fees were released: `done`, or why the processor refused.',
  'payment.refund_requested': 'An operator decided to give fees back: the amount in cents.',
  'payment.refunded': 'Fees were given back: `done`, or why the processor refused.',
  'state.decided': 'The decision of a state was entered: its status.',
  'application.revealed':
    'The SSN and the answers of an application were shown to an operator, for the reason noted: `shown`.',
  'document.read': 'A document that a user uploaded was shown to an operator: `shown`.',
  'filing.claimed': 'An operator took a filing from the queue: `done`.',
  'filing.released': 'An operator gave a filing back to the queue: `done`.',
  'filing.filed': 'An application was filed with a state: `done`.',
  'filing.package_read': 'All that one state gets, the SSN included, was read by an operator or the gateway: `shown`.',
  'webhook.replayed': 'A dead-lettered webhook is sent again: `done`.',
  'operator.created': 'An operator of the console was created: `done`.',
  'operator.disabled': 'An operator was disabled, and their sessions ended: `done`.',
  'operator.reset': 'An operator got another password, and their sessions ended: `done`.',
  'operator.sign_in': 'Somebody tried to sign in to the console: `done` or `refused`.',
  'operator.sign_out': 'An operator signed out: `done`.',
  'operator.password_changed': 'An operator chose another password, and their other sessions ended: `done`.',
} as const satisfies Record<string, string>;

/** What was done. */
export type AuditAction = keyof typeof auditActions;

/**
 * The actor: a credential, the operator at the command line, an operator of the console by id, the holder of an agencyId without a
 * credential, the filing gateway, somebody unknown at the sign-in of the console, the user of a link, or the bridge itself, by a job.
 */
export type AuditActor =
  `credential:${string}` | 'operator' | `operator:${string}` | 'agencyId' | 'gateway' | 'unknown' | 'user' | 'bridge';

/** Something to record. No field may hold an SSN, an answer, a secret or a name. */
export interface AuditRecord {
  /** "" for what belongs to no agency, such as a sign-in to the console. */
  agencyId: string;
  /** Absent for what belongs to both modes. */
  mode?: Mode;
  actor: AuditActor;
  action: AuditAction;
  /** The id of what it was done to; "" where nothing was found. */
  subject: string;
  /** See {@link auditActions}. */
  result: string;
  /** Why, in the words of an operator who was asked for a reason. Absent where no reason is asked. */
  note?: string | undefined;
}

/** An entry of the audit trail. */
export interface AuditEntry extends Omit<AuditRecord, 'mode' | 'actor' | 'action' | 'note'> {
  id: number;
  at: string;
  /** "" for what belongs to both modes. */
  mode: Mode | '';
  actor: string;
  action: string;
  /** The request, job or command that did it; "" when there was none. */
  requestId: string;
  /** "" where no reason was given. */
  note: string;
}

/**
 * Records what was done. `db` is the transaction that does it, where there is one: neither is then without the other. Without
 * one, record first and answer afterwards.
 */
export async function recordAudit(
  db: Database,
  context: Pick<BridgeContext, 'clock'>,
  { agencyId, mode, actor, action, subject, result, note }: AuditRecord,
): Promise<void> {
  await insertAuditEntry(db, {
    at: context.clock(),
    agency_id: agencyId,
    mode: mode ?? null,
    actor,
    action,
    subject,
    request_id: currentRequestId() ?? null,
    result,
    note: note ?? null,
  });
}

/** Reads the audit trail, the newest entry first. */
export async function readAudit(context: Pick<BridgeContext, 'db'>, filter: AuditWhere): Promise<AuditEntry[]> {
  const rows = await findAuditEntries(context.db, filter);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    agencyId: row.agency_id,
    mode: row.mode ?? '',
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    requestId: row.request_id ?? '',
    result: row.result,
    note: row.note ?? '',
  }));
}
