import { stateCodes, type StateCode } from '../../../contract/index.js';

/** What one state costs. */
export interface FeeLine {
  state: StateCode;
  /** What the department charges, in cents. */
  stateFeeCents: number;
  /** What processing costs, in cents. */
  processingFeeCents: number;
}

/** What an application costs. */
export interface FeeEstimate {
  /** One line a state, in the order asked for. */
  lines: FeeLine[];
  /** The sum of all lines, in cents. */
  totalCents: number;
}

/** The same in every state: the part of the fee that pays for transmission. */
const processingFeeCents = 560;

/** Renewals cost less than new licenses; anything else costs what a new one does. */
const applicationTypeShare: Readonly<Record<string, number>> = { renewal: 0.6, reinstatement: 1.25 };

/** Two lines of authority in one license are more work for a department than one. */
const licenseTypeSurchargeCents: Readonly<Record<string, number>> = { life_health: 1_500, property_casualty: 2_000 };

/**
 * Estimates state and processing fees. The amounts are synthetic and made to look so (steps of 5.00 by the state's place in the
 * table): real departments change theirs too often for a constant.
 */
export function estimateFees(states: readonly StateCode[], applicationType: string, licenseType: string): FeeEstimate {
  const share = ownEntry(applicationTypeShare, applicationType) ?? 1;
  const surchargeCents = ownEntry(licenseTypeSurchargeCents, licenseType) ?? 0;
  const lines = states.map((state) => {
    const baseCents = 4_000 + (stateCodes.indexOf(state) % 20) * 500;
    return { state, stateFeeCents: Math.round(baseCents * share) + surchargeCents, processingFeeCents };
  });
  const totalCents = lines.reduce((sum, line) => sum + line.stateFeeCents + line.processingFeeCents, 0);
  return { lines, totalCents };
}

/** Types are open slugs that callers choose: `constructor` must not find what every object inherits. */
function ownEntry(table: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
