import { type FeeEstimate, feesOf, totalOf } from '../../catalogue/fees.js';
import type { ApplySession } from '../applications/session.js';
import { valuesOf } from '../applications/profile/pages.js';

/**
 * The fees of a session's application, from the release that it pins and the home state of its
 * profile. After the submission, the stored fees: the profile is erased later, and the receipt
 * stays.
 */
export function feesOfSession({
  application,
  pinned,
  profile,
}: Pick<ApplySession, 'application' | 'pinned' | 'profile'>): FeeEstimate {
  const { feeLines: lines } = application;
  if (lines !== null) return { lines, totalCents: totalOf(lines) };
  return feesOf(pinned, application, valuesOf(profile, 'residency').homeState);
}
