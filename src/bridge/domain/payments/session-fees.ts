import type { StateCode } from '../../../contract/index.js';
import { type FeeEstimate, type FeeFacts, feesOf, licenseClassesOf, totalOf } from '../../catalogue/fees.js';
import type { ApplySession } from '../applications/session.js';
import { askedOf, chosenLines, valuesOf } from '../applications/profile/pages.js';
import { requirementsOf } from '../applications/profile/requirements.js';

/**
 * The fees of a session's application, from the release that it pins, and the home state and the
 * lines of its profile. After the submission, the stored fees: the profile is erased later, and the receipt
 * stays.
 */
export function feesOfSession({
  application,
  pinned,
  profile,
}: Pick<ApplySession, 'application' | 'pinned' | 'profile'>): FeeEstimate {
  const { feeLines: lines } = application;
  if (lines !== null) return { lines, totalCents: totalOf(lines) };
  return feesOf(pinned, askedOf({ application, profile }), feeFactsOf({ application, pinned, profile }));
}

/** The classes of license of a state that a session's application is for, as the department names them. */
export function licenseClassesOfSession(
  session: Pick<ApplySession, 'application' | 'pinned' | 'profile'>,
  state: StateCode,
): string[] {
  return licenseClassesOf(session.pinned, askedOf(session), state, feeFactsOf(session));
}

/** The answers of the user that determine the fees. */
function feeFactsOf({
  application,
  pinned,
  profile,
}: Pick<ApplySession, 'application' | 'pinned' | 'profile'>): FeeFacts {
  const { linesOf } = requirementsOf(pinned, application);
  return {
    homeState: valuesOf(profile, 'residency').homeState,
    linesIn: (state) => chosenLines(profile, state, linesOf(state)),
  };
}
