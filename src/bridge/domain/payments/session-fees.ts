import { type FeeEstimate, feesOf, totalOf } from '../../catalogue/fees.js';
import type { ApplySession } from '../applications/session.js';
import { valuesOf } from '../applications/profile/pages.js';

/**
 * What the application of a session costs: by the release that it pinned and the home state of its profile. Once it is submitted, what
 * it was submitted with: the profile is erased one day, and the receipt stays.
 */
export function feesOfSession({
  application,
  pinned,
  profile,
}: Pick<ApplySession, 'application' | 'pinned' | 'profile'>): FeeEstimate {
  const { fee_lines: lines } = application;
  if (lines !== null) return { lines, totalCents: totalOf(lines) };
  return feesOf(pinned, application, valuesOf(profile, 'residency').homeState);
}
