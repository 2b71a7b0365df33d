import { lockOwnApplication } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import { renewSession } from '../../store/applications/renewal-store.js';
import { insertSession, type Renewable } from '../../store/applications/session-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { answersAgeMs } from './answers-age.js';

/** What a user needs to notice that the session ends and to finish a page of the application. */
const windowMs = 6 * 60_000;

type Renewing = Pick<BridgeContext, 'sessionTtlSeconds'>;

/**
 * How long before its end a session can be renewed. Of short sessions only the last quarter counts: otherwise any two calls in a
 * row would be about one application.
 */
function renewalWindowMs({ sessionTtlSeconds }: Renewing): number {
  return Math.min(windowMs, sessionTtlSeconds * 250);
}

/**
 * How long before its end the hosted page says that a session ends: a sixth less, so that whoever then asks for another one is not
 * too early by a clock that differs a little.
 */
export function warningMs(context: Renewing): number {
  return (renewalWindowMs(context) * 5) / 6;
}

/** The applications that a new session goes on with. */
export function renewableAt(context: Renewing, now: Date): Renewable {
  const at = (ms: number) => new Date(now.getTime() + ms);
  const ms = renewalWindowMs(context);
  return {
    endsBy: at(ms),
    // What was abandoned longer ago is begun anew: its answers would not count as given either.
    endedAfter: at(-answersAgeMs),
    // Two tabs ask at almost the same time: the second one must not be told of another application.
    renewedAfter: at(-ms),
  };
}

/** The application to go on with, which nobody else changes until the transaction ends; `undefined` when there is none. */
export async function lockBegun(
  trx: DatabaseTransaction,
  owner: Owner,
  applicationId: string | undefined,
): Promise<ApplicationRow | undefined> {
  const begun = applicationId === undefined ? undefined : await lockOwnApplication(trx, applicationId, owner);
  // Renewed meanwhile, by a call at the same time, is no reason to begin another; submitted or erased is.
  return begun?.submitted_at === null && begun.erased_at === null ? begun : undefined;
}

/** Gives the application that was begun the session of the fresh one, or writes the fresh one. */
export async function beginOrRenew(
  trx: DatabaseTransaction,
  begun: ApplicationRow | undefined,
  fresh: ApplicationRow,
): Promise<ApplicationRow> {
  if (begun === undefined) {
    await insertSession(trx, fresh);
    return fresh;
  }
  const { session_id, link_hash, return_url, webhook_url, expires_at, created_at: renewedAt } = fresh;
  return renewSession(trx, begun, { session_id, link_hash, return_url, webhook_url, expires_at }, renewedAt);
}
