import type { Mode } from '../../../contract/index.js';
import {
  type AuditEntryRow,
  findAuditEntries,
  insertAuditEntry,
  type AuditWhere,
} from '../../store/audit/audit-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { currentRequestId } from '../request-id.js';

/** The recorded actions and their possible results. */
export const auditActions = {
  'ssn.look_up': 'A producer was looked up by SSN: `hit` or `miss`.',
  'answers.shown': 'A user requested their own answers with the last four digits of the SSN: `shown` or `refused`.',
  'credential.issued': 'A credential was issued, and the previous one ended with its tokens: `done`.',
  'credential.reset': 'The secrets of a credential were replaced and its tokens ended: `done`.',
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
  'state.decided': 'The decision of a state was entered: its status.',
  'state.overridden': 'A state without a filing reference was decided in live mode, for the reason noted: its status.',
  'application.revealed':
    'The SSN and the answers of an application were shown to an operator, for the reason noted: `shown`.',
  'links.revoked': 'An operator ended all links of an application, for the reason noted: `done`.',
  'document.read': 'A document that a user uploaded was shown to an operator: `shown`.',
  'filing.claimed': 'An operator took a filing from the queue: `done`.',
  'filing.released': 'An operator returned a filing to the queue: `done`.',
  'filing.filed': 'An application was filed with a state: `done`.',
  'filing.package_read': 'An operator or the gateway read the filing package of a state, including the SSN: `shown`.',
  'webhook.replayed': 'A dead-lettered webhook is sent again: `done`.',
  'operator.created': 'An operator of the console was created: `done`.',
  'operator.disabled': 'An operator was disabled, and their sessions ended: `done`.',
  'operator.enabled': 'A disabled operator may sign in again: `done`.',
  'operator.role_changed': 'The role of an operator was changed: the new role.',
  'operator.totp_changed': 'The authenticator app of an operator changed in a reset: `replaced` or `removed`.',
  'operator.reset': 'An operator received a new password, and their sessions ended: `done`.',
  'operator.sign_in': 'A sign-in to the console: `done`, `refused`, or `too_many_codes` after a right password.',
  'operator.sign_out': 'An operator signed out: `done`.',
  'operator.password_changed': 'An operator chose a new password, and their other sessions ended: `done`.',
} as const satisfies Record<string, string>;

/** A recorded action. */
export type AuditAction = keyof typeof auditActions;

/**
 * The actor: a credential, the operator at the command line, an operator of the console by id, the
 * holder of an agencyId without a credential, the filing gateway, an unknown person at the sign-in
 * of the console, the user of a link, or a job of the bridge.
 */
export type AuditActor =
  `credential:${string}` | 'operator' | `operator:${string}` | 'agencyId' | 'gateway' | 'unknown' | 'user' | 'bridge';

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
export async function recordAudit(
  db: Database,
  context: Pick<BridgeContext, 'clock'>,
  { agencyId, mode, actor, action, subject, result, note }: AuditRecord,
): Promise<void> {
  await insertAuditEntry(db, {
    at: context.clock(),
    agencyId,
    mode: mode ?? null,
    actor,
    action,
    subject,
    requestId: currentRequestId() ?? null,
    result,
    note: note ?? null,
  });
}

/** Reads the audit trail, newest entry first. */
export async function readAudit(context: Pick<BridgeContext, 'db'>, filter: AuditWhere): Promise<AuditEntry[]> {
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
