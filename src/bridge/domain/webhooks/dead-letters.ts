import type { WebhookEventType } from '../../../contract/index.js';
import { recordAudit, type AuditActor } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { shareAccountAddress } from '../../store/accounts/agency-store.js';
import {
  type DeadEventApplication,
  findDeadEventApplication,
  findDeadLetters,
  findDeadLettersOf,
  requeueDeadLetters,
} from '../../store/webhooks/dead-letter-store.js';
import type { Scope } from '../../store/scope.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';

/** A dead-lettered event for the operator, without its data. */
export interface DeadLetter {
  id: string;
  type: WebhookEventType;
  applicationId: string;
  createdAt: string;
  deadAt: string;
  /** The number of tries. */
  attempts: number;
  /** The receiver's last HTTP status; null without a response. */
  lastStatus: number | null;
  /**
   * The reason of the last failure; null when it was never tried, because the endpoint was disabled
   * already.
   */
  lastError: string | null;
}

/** Reads the dead-lettered events of a scope, newest first. */
export async function listDeadLetters(
  { db }: Pick<BridgeContext, 'db'>,
  scope: Scope,
  limit: number,
): Promise<DeadLetter[]> {
  const rows = await findDeadLetters(db, scope, limit);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    deadAt: row.deadAt?.toISOString() ?? '',
  }));
}

/** The result of a replay. `unknown`: not in the scope, or not dead-lettered. `no_address`: neither the session nor the account has a webhook URL. */
export type Replay = 'replayed' | 'unknown' | 'no_address';

/**
 * Sends a dead-lettered event again, with all tries: to the session's URL, else to the account's
 * current one.
 */
export async function replayDeadLetter(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  scope: Scope,
  eventId: string,
  actor: AuditActor,
): Promise<Replay> {
  return inTransaction(context.db, async (trx) => {
    const application = await findDeadEventApplication(trx, scope, eventId);
    if (application === undefined) return 'unknown';
    return (await replay(context, trx, application, [eventId], actor)).outcome;
  });
}

/**
 * Sends all dead-lettered events of an application again, in order, all or none. Resolves with the
 * number of events.
 */
export async function replayApplication(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  scope: Scope,
  applicationId: string,
  actor: AuditActor,
): Promise<{ outcome: Replay; count: number }> {
  return inTransaction(context.db, async (trx) => {
    const eventIds = await findDeadLettersOf(trx, applicationId);
    const application = await findDeadEventApplication(trx, scope, eventIds[0] ?? '');
    if (application === undefined) return { outcome: 'unknown', count: 0 };
    return replay(context, trx, application, eventIds, actor);
  });
}

async function replay(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  trx: DatabaseTransaction,
  { id: applicationId, agencyId, mode, webhookUrl: sessionUrl }: DeadEventApplication,
  eventIds: readonly string[],
  actor: AuditActor,
): Promise<{ outcome: Replay; count: number }> {
  const url = sessionUrl ?? (await shareAccountAddress(trx, { agencyId, mode }));
  if (url === null) return { outcome: 'no_address', count: 0 };
  const revived = await requeueDeadLetters(trx, eventIds, { applicationId, agencyId, mode, url }, context.clock());
  for (const eventId of revived) {
    const subject = `${applicationId}/${eventId}`;
    await recordAudit(trx, context, { agencyId, mode, actor, action: 'webhook.replayed', subject, result: 'done' });
  }
  return { outcome: revived.length > 0 ? 'replayed' : 'unknown', count: revived.length };
}
