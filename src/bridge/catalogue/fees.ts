import type { StateCode } from '../../contract/index.js';
import type { AskedFor, Catalogue } from './catalogue.js';
import { type Fee, residencies, type Residency } from './content.js';

/** The fees of one state. */
export interface FeeLine {
  state: StateCode;
  /** The fee of the department, in cents. */
  stateFeeCents: number;
  /** The processing fee, in cents. */
  processingFeeCents: number;
  /** Whether the amounts are not verified with the department. */
  sample: boolean;
}

/** The fees of an application. */
export interface FeeEstimate {
  /** One line per state, in the order of the request. */
  lines: FeeLine[];
  /** The sum of all lines, in cents. */
  totalCents: number;
}

/**
 * State and processing fees of an application.
 *
 * @param homeState The applicant's home state. Default: unknown; then the higher fee of a state
 *   counts, so that no user pays more than shown.
 */
export function feesOf(
  catalogue: Catalogue,
  { states, applicationType, licenseType }: AskedFor,
  homeState?: StateCode,
): FeeEstimate {
  const lines = states.map((state): FeeLine => {
    const possible =
      homeState === undefined ? residencies : ([state === homeState ? 'resident' : 'nonResident'] as const);
    const [dearest] = possible
      .flatMap(
        (residency) => findFee(catalogue.jurisdiction(state).fees, applicationType, licenseType, residency) ?? [],
      )
      .sort((left, right) => sumOf(right) - sumOf(left));
    if (dearest === undefined) throw new Error(`The catalogue ${catalogue.version} has no fee for ${state}.`);
    const { stateFeeCents, processingFeeCents, sample } = dearest;
    return { state, stateFeeCents, processingFeeCents, sample };
  });
  return { lines, totalCents: totalOf(lines) };
}

/** The sum of some lines, in cents. */
export function totalOf(lines: readonly FeeLine[]): number {
  return lines.reduce((sum, line) => sum + sumOf(line), 0);
}

function sumOf({ stateFeeCents, processingFeeCents }: Pick<FeeLine, 'stateFeeCents' | 'processingFeeCents'>): number {
  return stateFeeCents + processingFeeCents;
}

/**
 * Finds the fee of an application and a license type. A line with the exact slugs takes precedence
 * over one with `*`, and a line with the residency over one without.
 */
export function findFee(
  fees: readonly Fee[],
  applicationType: string,
  licenseType: string,
  residency: Residency,
): Fee | undefined {
  const pairs = [
    [applicationType, licenseType],
    [applicationType, '*'],
    ['*', licenseType],
    ['*', '*'],
  ];
  for (const [application, license] of pairs) {
    const ofPair = fees.filter((fee) => fee.applicationType === application && fee.licenseType === license);
    const found =
      ofPair.find((fee) => fee.residency === residency) ?? ofPair.find((fee) => fee.residency === undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
