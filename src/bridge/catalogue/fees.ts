import type { StateCode } from '../../contract/index.js';
import type { AskedFor, Catalogue } from './catalogue.js';
import { type Fee, residencies, type Residency } from './content.js';

/** What one state costs. */
export interface FeeLine {
  state: StateCode;
  /** What the department charges, in cents. */
  stateFeeCents: number;
  /** What processing costs, in cents. */
  processingFeeCents: number;
  /** Whether the amounts were not verified with the department. */
  sample: boolean;
}

/** What an application costs. */
export interface FeeEstimate {
  /** One line a state, in the order asked for. */
  lines: FeeLine[];
  /** The sum of all lines, in cents. */
  totalCents: number;
}

/**
 * State and processing fees of an application.
 *
 * @param homeState Of the applicant. Default: not known yet; a state that asks more of some then counts with the higher fee, so that
 *   no user pays more than the page showed.
 */
export function feesOf(
  catalogue: Catalogue,
  { states, application_type, license_type }: AskedFor,
  homeState?: StateCode,
): FeeEstimate {
  const lines = states.map((state): FeeLine => {
    const possible =
      homeState === undefined ? residencies : ([state === homeState ? 'resident' : 'nonResident'] as const);
    const [dearest] = possible
      .flatMap(
        (residency) => findFee(catalogue.jurisdiction(state).fees, application_type, license_type, residency) ?? [],
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
 * The fee of an application and a license type. A line of the very slugs takes precedence over one with `*`, and of the same slugs
 * the one of the residency over the one for everybody.
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
