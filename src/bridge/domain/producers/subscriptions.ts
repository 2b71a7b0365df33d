import type { Mode, Subscription, SubscriptionUpdate } from '../../../contract/index.js';
import type { ProducerRegistry, ProducerUpdate } from '../../ports/producer-registry.js';
import type { Owner } from '../../store/owner.js';
import {
  type AddedAt,
  deleteSubscriptions,
  insertSubscriptions,
  isSubscribed,
  lockSubscriptions,
} from '../../store/producers/onboarding-store.js';
import { recordAudit, requestedBy, type Requester } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';

const dayMs = 24 * 3_600_000;

/**
 * Adds subscription targets (operation 12): all of them, or none when one is not in the registry.
 *
 * @throws ApiError `unknown_producer`, whose details list the positions of the first ten in the
 *   request.
 */
export function subscribe(
  context: Pick<BridgeContext, 'db' | 'registry' | 'clock' | 'withMutex'>,
  caller: Requester,
  npns: readonly string[],
): Promise<Subscription> {
  const targets = [...new Set(npns)];
  return context.withMutex(turnOf(caller), async () => {
    const known = await context.registry.findKnown(caller.mode, targets);
    if (known.size < targets.length) throw unknownProducers(npns, known);
    const addedAt = await changeSubscriptions(context, caller, 'subscription.added', (trx) =>
      insertSubscriptions(trx, caller, targets, context.clock()),
    );
    return describeSubscription(caller, targets, addedAt);
  });
}

/**
 * Removes subscription targets (operation 13). The answer omits targets that are not subscribed.
 */
export function unsubscribe(
  context: Pick<BridgeContext, 'db' | 'clock' | 'withMutex'>,
  caller: Requester,
  npns: readonly string[],
): Promise<Subscription> {
  const targets = [...new Set(npns)];
  return context.withMutex(turnOf(caller), async () => {
    const addedAt = await changeSubscriptions(context, caller, 'subscription.removed', (trx) =>
      deleteSubscriptions(trx, caller, targets),
    );
    return describeSubscription(caller, targets, addedAt);
  });
}

/**
 * Reads the newest update of a subscribed producer on or before a day (operation 11).
 *
 * @throws ApiError `not_subscribed` or `no_update`.
 */
export async function readSubscriptionUpdate(
  context: Pick<BridgeContext, 'db' | 'registry'>,
  owner: Owner,
  request: { npn: string; reportDate: string },
): Promise<SubscriptionUpdate> {
  const { npn, reportDate } = request;
  if (!(await isSubscribed(context.db, owner, npn))) {
    throw new ApiError('not_subscribed', 'npn: expected an NPN that the agency subscribes to');
  }
  const update = await findUpdateOfDay(context.registry, owner.mode, npn, reportDate);
  if (update === undefined) throw new ApiError('no_update', 'reportDate: expected a later day');
  const { updatedAt, changes, producer } = update;
  return { npn, reportDate, updatedAt: updatedAt.toISOString(), changes, producer };
}

/** Finds the newest update of a producer on or before a day (`YYYY-MM-DD`), which ends at midnight UTC. */
export function findUpdateOfDay(
  registry: Pick<ProducerRegistry, 'findUpdate'>,
  mode: Mode,
  npn: string,
  day: string,
): Promise<ProducerUpdate | undefined> {
  const nextMidnight = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs);
  return registry.findUpdate(mode, npn, nextMidnight);
}

/** Queued per agency, so that an agency with many calls does not delay others. */
function turnOf({ agencyId, mode }: Owner): string {
  return `subscription:${agencyId}:${mode}`;
}

function changeSubscriptions(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  caller: Requester,
  action: 'subscription.added' | 'subscription.removed',
  change: (trx: DatabaseTransaction) => Promise<AddedAt>,
): Promise<AddedAt> {
  return inTransaction(context.db, async (trx) => {
    await lockSubscriptions(trx, caller);
    const changed = await change(trx);
    const [first, second] = changed.keys();
    if (first === undefined) return changed;
    const subject = second === undefined ? `npn:${first}` : '';
    await recordAudit(trx, context, { ...requestedBy(caller), action, subject, result: String(changed.size) });
    return changed;
  });
}

function describeSubscription({ agencyId }: Owner, targets: readonly string[], known: AddedAt): Subscription {
  const npns = targets.flatMap((npn) => {
    const addedAt = known.get(npn);
    return addedAt === undefined ? [] : [{ npn, addedAt: addedAt.toISOString() }];
  });
  return { agencyId, npns };
}

function unknownProducers(npns: readonly string[], known: ReadonlySet<string>): ApiError {
  const unknown = npns.flatMap((npn, index) => (known.has(npn) ? [] : [`npns.${index}`]));
  return new ApiError('unknown_producer', `${unknown.slice(0, 10).join(', ')}: expected NPNs of producers`);
}
