import type { FilingRow } from '../../store/filings/filing-store.js';
import type { StateCode } from '../../../contract/index.js';
import type { AuditActor } from '../audit/audit.js';

/**
 * Whether an operator works on one of some filings of an application, so that its package and its
 * documents need no reason: they have claimed it, which is in the audit trail.
 *
 * @param state The state whose filing must be claimed; null for any.
 */
export function hasClaimed(
  filings: readonly Pick<FilingRow, 'state' | 'status' | 'claimedBy'>[],
  { state, actor }: { state: StateCode | null; actor: AuditActor },
): boolean {
  return filings.some(
    (filing) => filing.status === 'claimed' && filing.claimedBy === actor && (state === null || filing.state === state),
  );
}
