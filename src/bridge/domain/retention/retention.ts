import { deleteEndedOperatorSessions } from '../../store/operators/operator-store.js';
import { deleteEndedCounts } from '../../store/limits/rate-limit-store.js';
import { deleteExpired } from '../../store/applications/application-store.js';
import {
  countEnded,
  type EndedApplication,
  eraseApplicants,
  eraseApplications,
  lockEnded,
} from '../../store/retention/erasure-store.js';
import { deleteOldMails } from '../../store/mail/mail-store.js';
import { deleteOld, type RetainedKind } from '../../store/retention/retention-store.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, type AuditedContext, recordAudits } from '../audit/audit.js';
import type { BridgeContext, BridgeSettings } from '../context.js';
import { deleteLeftovers } from '../documents/documents.js';
import { sessionIdleMs } from '../operators/operator-session.js';
import { idempotencyKeyTtlMs } from '../sessions/create-session.js';

/**
 * How long an earlier session is kept after its end: its link leads users back to the partner, and
 * a repeated Idempotency-Key, which is valid for a day, finds it.
 */
const earlierSessionsKeptMs = 30 * 24 * 3_600_000;

/**
 * How long the bridge knows which mails it has sent. Far longer than a mail is tried: while its row
 * exists, the mail of a purpose is not sent twice.
 */
const mailsKeptMs = 90 * 24 * 3_600_000;

/**
 * Deletes expired rows (tokens, counts of limits, Idempotency-Keys, earlier sessions), rows older
 * than their retention and, with a limit, the data of ended applications. When the signal aborts,
 * the next run continues.
 */
export async function cleanUp(
  context: Pick<BridgeContext, 'db' | 'clock' | 'log' | 'documents'> & {
    settings: Pick<BridgeSettings, 'retention' | 'retentionDays'>;
  },
  signal?: AbortSignal,
): Promise<void> {
  const now = context.clock().getTime();
  await deleteExpired(context.db, {
    tokens: new Date(now),
    idempotencyKeys: new Date(now - idempotencyKeyTtlMs),
    earlierSessions: new Date(now - earlierSessionsKeptMs),
    identityChecks: new Date(now),
  });
  await deleteOldMails(context.db, new Date(now - mailsKeptMs));
  await deleteEndedOperatorSessions(context.db, new Date(now), new Date(now - sessionIdleMs));
  // By the clock that wrote them, and a minute later, because the clocks of instances differ
  // slightly.
  await deleteEndedCounts(context.db, new Date(Date.now() - 60_000));
  for (const [kind, days] of Object.entries(context.settings.retention) as [RetainedKind, number][]) {
    if (days > 0) await deleteOld(context.db, kind, new Date(now - days * 24 * 3_600_000), signal);
  }
  if (context.settings.retentionDays !== undefined) {
    const erased = await eraseEnded(context, context.settings.retentionDays, signal);
    if (erased.applications > 0) context.log.info(erased, 'The data of users in ended applications was erased.');
  }
  // Last: the content of erased documents, whose key is deleted already.
  await deleteLeftovers(context, signal);
}

/** The numbers of an erasure. */
export interface Erased {
  /** Applications that have lost their SSN, profile, answers, acknowledgements and signature. */
  applications: number;
  /** Users whose SSN is not kept for a next application any more. */
  users: number;
}

/** So small that locks are held for milliseconds, and a stop of the bridge does not wait longer. */
const batchSize = 200;

/**
 * Erases the data of users in applications that ended this number of days ago or earlier, in
 * batches. It can be interrupted at any time, repeated, and run on several instances at once.
 *
 * @param days At least `answersAgeDays`, after which no other application reuses the data.
 */
export async function eraseEnded(context: AuditedContext, days: number, signal?: AbortSignal): Promise<Erased> {
  const erased: Erased = { applications: 0, users: 0 };
  const now = context.clock();
  const by = endedBy(now, days);
  const entry = { actor: actorOfContext(context), action: 'application.erased', result: 'done' } as const;
  const entryOf = ({ id, agencyId, mode }: EndedApplication) => ({ ...entry, agencyId, mode, subject: id });
  let batch: EndedApplication[] = [];
  do {
    const after = batch.at(-1);
    batch = await inTransaction(context.db, async (trx) => {
      const ended = await lockEnded(trx, { by, after, limit: batchSize });
      if (ended.length === 0) return ended;
      const ids = ended.map(({ id }) => id);
      await eraseApplications(trx, ids, now);
      erased.users += await eraseApplicants(trx, ids);
      await recordAudits(trx, context, ended.map(entryOf));
      return ended;
    });
    erased.applications += batch.length;
  } while (batch.length > 0 && signal?.aborted !== true);
  return erased;
}

/** Counts the applications that {@link eraseEnded} would erase now. */
export function countErasable(context: Pick<BridgeContext, 'db' | 'clock'>, days: number): Promise<number> {
  return countEnded(context.db, endedBy(context.clock(), days));
}

function endedBy(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 3_600_000);
}
