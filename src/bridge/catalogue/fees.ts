import type { StateCode } from '../../contract/index.js';
import type { AskedFor, Catalogue } from './catalogue.js';
import type { Fee } from './content.js';

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

/** State and processing fees of an application. */
export function feesOf(catalogue: Catalogue, { states, application_type, license_type }: AskedFor): FeeEstimate {
  const lines = states.map((state): FeeLine => {
    const fee = findFee(catalogue.jurisdiction(state).fees, application_type, license_type);
    if (fee === undefined) throw new Error(`The catalogue ${catalogue.version} has no fee for ${state}.`);
    const { stateFeeCents, processingFeeCents, sample } = fee;
    return { state, stateFeeCents, processingFeeCents, sample };
  });
  const totalCents = lines.reduce((sum, line) => sum + line.stateFeeCents + line.processingFeeCents, 0);
  return { lines, totalCents };
}

/** The fee of an application and a license type. A line of the very slugs takes precedence over one with `*`. */
export function findFee(fees: readonly Fee[], applicationType: string, licenseType: string): Fee | undefined {
  const pairs = [
    [applicationType, licenseType],
    [applicationType, '*'],
    ['*', licenseType],
    ['*', '*'],
  ];
  for (const [application, license] of pairs) {
    const found = fees.find((fee) => fee.applicationType === application && fee.licenseType === license);
    if (found !== undefined) return found;
  }
  return undefined;
}
