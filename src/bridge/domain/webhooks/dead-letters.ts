import type { WebhookEventType } from '../../../contract/index.js';
import { type AuditActor, recordAudits } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { shareAccountAddress } from '../../store/accounts/agency-store.js';
import {
  type DeadEventStream,
  findDeadEventStream,
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
  /** Null for an event of a producer. */
  applicationId: string | null;
  /** The producer of the event; null for an event of an application. */
  npn: string | null;
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
    npn: row.npn === null ? null : String(row.npn),
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
    const stream = await findDeadEventStream(trx, scope, eventId);
    if (stream === undefined) return 'unknown';
    return (await replay(context, trx, stream, [eventId], actor)).outcome;
  });
}

/** The number of events of a transaction, so that each takes milliseconds. */
const pieceSize = 200;

/**
 * Sends all dead-lettered events of an application again, in order. Many are several transactions:
 * when one fails, the events after it stay dead-lettered. Resolves with the number of events.
 */
export async function replayApplication(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  scope: Scope,
  applicationId: string,
  actor: AuditActor,
): Promise<{ outcome: Replay; count: number }> {
  let count = 0;
  for (let afterSeq = 0; ;) {
    const { outcome, last } = await inTransaction(context.db, async (trx) => {
      const events = await findDeadLettersOf(trx, applicationId, afterSeq, pieceSize);
      const stream = await findDeadEventStream(trx, scope, events[0]?.id ?? '');
      if (stream === undefined) return { outcome: 'unknown' as const, last: undefined };
      const ids = events.map(({ id }) => id);
      const replayed = await replay(context, trx, stream, ids, actor);
      count += replayed.count;
      return { outcome: replayed.outcome, last: replayed.outcome === 'replayed' ? events[pieceSize - 1] : undefined };
    });
    if (last === undefined) return { outcome: count > 0 ? 'replayed' : outcome, count };
    afterSeq = last.seq;
  }
}

async function replay(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  trx: DatabaseTransaction,
  { streamId, agencyId, mode, sessionUrl }: DeadEventStream,
  eventIds: readonly string[],
  actor: AuditActor,
): Promise<{ outcome: Replay; count: number }> {
  const url = sessionUrl ?? (await shareAccountAddress(trx, { agencyId, mode }));
  if (url === null) return { outcome: 'no_address', count: 0 };
  const destination = { streamId, agencyId, mode, url, followsAccount: sessionUrl === null };
  const revived = await requeueDeadLetters(trx, eventIds, destination, context.clock());
  const entry = { agencyId, mode, actor, action: 'webhook.replayed', result: 'done' } as const;
  await recordAudits(
    trx,
    context,
    revived.map((eventId) => ({ ...entry, subject: `${streamId}/${eventId}` })),
  );
  return { outcome: revived.length > 0 ? 'replayed' : 'unknown', count: revived.length };
}
