import type { WebhookEventType } from '../../contract/index.js';
import type { BridgeContext } from '../domain/context.js';
import { shareAccountAddress } from '../store/accounts/account-store.js';
import { findDeadEventApplication, findDeadLetters, reviveDeadLetter } from '../store/webhooks/dead-letter-store.js';

/** An event that was given up, as the operator sees it. Nothing of what it says. */
export interface DeadLetter {
  id: string;
  type: WebhookEventType;
  applicationId: string;
  createdAt: string;
  deadAt: string;
  /** How often it was tried. */
  attempts: number;
  /** The receiver's last HTTP status; null when none came. */
  lastStatus: number | null;
  /** Why the last try failed; null when it was never tried, because its address was gone already. */
  lastError: string | null;
}

/** Events that were given up, the newest first. */
export async function listDeadLetters(context: Pick<BridgeContext, 'db'>, limit: number): Promise<DeadLetter[]> {
  const rows = await findDeadLetters(context.db, limit);
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    applicationId: row.application_id,
    createdAt: row.created_at.toISOString(),
    deadAt: row.dead_at?.toISOString() ?? '',
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }));
}

/** What came of a replay: `no_address` when the session named none and the account has none (any more). */
export type Replay = 'replayed' | 'unknown' | 'no_address';

/** Sends an event that was given up once more, with all its tries: to the session's address, else to the account's of now. */
export async function replayDeadLetter(context: Pick<BridgeContext, 'db' | 'clock'>, eventId: string): Promise<Replay> {
  return context.db.transaction().execute(async (trx) => {
    const application = await findDeadEventApplication(trx, eventId);
    if (application === undefined) return 'unknown';
    const { id: applicationId, agency_id: agencyId, mode } = application;
    const url = application.webhook_url ?? (await shareAccountAddress(trx, { agencyId, mode }));
    if (url === null) return 'no_address';
    return (await reviveDeadLetter(trx, eventId, { applicationId, agencyId, mode, url }, context.clock()))
      ? 'replayed'
      : 'unknown';
  });
}
