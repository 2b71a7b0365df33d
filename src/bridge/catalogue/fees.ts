import type { StateCode } from '../../contract/index.js';
import { isOfLicenseType, type AskedFor, type Catalogue } from './catalogue.js';
import { type Fee, homeStateFee, type Jurisdiction, residencies, type Residency } from './content.js';

/** The fees of one state. */
export interface FeeLine {
  state: StateCode;
  /** The fee of the department as far as it is known, in cents. */
  stateFeeCents: number;
  /** The processing fee, in cents. */
  processingFeeCents: number;
  /** Whether the amounts are not verified with the department. */
  sample: boolean;
  /** Whether the fee of the department, or a part of it, is only known when the application is filed. */
  isConfirmedAtFiling: boolean;
  /** What the unknown part depends on, by the ids of the texts of the release. Absent: unknown. */
  dependsOn?: string[] | undefined;
}

/** The fees of an application. */
export interface FeeEstimate {
  /** One line per state, in the order of the request. */
  lines: FeeLine[];
  /** The sum of all known amounts, in cents. */
  totalCents: number;
}

/** The facts about an applicant that determine fees. */
export interface FeeFacts {
  /**
   * The home state, of which the applicant is a resident where the application says nothing else.
   * Default: unknown; then the higher fee of a state counts, so that no user pays more than shown.
   */
  homeState?: StateCode | undefined;
  /**
   * The lines of authority that the user chose in a state. Default, and when it returns `undefined`:
   * those that the license type names.
   */
  linesIn?: ((state: StateCode) => readonly string[] | undefined) | undefined;
}

/** State and processing fees of an application. */
export function feesOf(
  catalogue: Catalogue,
  { states, applicationType, licenseType, residencyIn }: AskedFor,
  { homeState, linesIn }: FeeFacts = {},
): FeeEstimate {
  const lines = states.map((state): FeeLine => {
    const jurisdiction = catalogue.jurisdiction(state);
    const chosen = linesIn?.(state) ?? namedLines(jurisdiction, licenseType);
    const ofHome = homeState && (state === homeState ? 'resident' : 'nonResident');
    const known = residencyIn?.(state) ?? ofHome;
    // While the residency is not known, those of both.
    const fees = (known === undefined ? residencies : [known]).map((residency) =>
      stateFee(jurisdiction, { applicationType, lines: chosen, residency, homeState }),
    );
    const dependsOn = [...new Set(fees.flatMap((fee) => fee.dependsOn))];
    const { processingFee } = jurisdiction;
    return {
      state,
      stateFeeCents: Math.max(...fees.map(({ cents }) => cents)),
      processingFeeCents: processingFee.cents,
      // Of any residency: the user may turn out to have the cheaper one.
      sample: fees.some(({ sample }) => sample) || processingFee.sample,
      isConfirmedAtFiling: fees.some(({ isKnown }) => !isKnown),
      ...(dependsOn.length > 0 && { dependsOn }),
    };
  });
  return { lines, totalCents: totalOf(lines) };
}

/** The sum of some lines, in cents. */
export function totalOf(lines: readonly FeeLine[]): number {
  return lines.reduce((sum, { stateFeeCents, processingFeeCents }) => sum + stateFeeCents + processingFeeCents, 0);
}

/**
 * The classes of license of a state that an application is for, by the names that the department
 * gives them. Empty where no fee names the lines.
 */
export function licenseClassesOf(
  catalogue: Pick<Catalogue, 'jurisdiction'>,
  { applicationType, licenseType, residencyIn }: AskedFor,
  state: StateCode,
  { homeState, linesIn }: FeeFacts,
): string[] {
  const jurisdiction = catalogue.jurisdiction(state);
  const lines = linesIn?.(state) ?? namedLines(jurisdiction, licenseType);
  const residency = residencyIn?.(state) ?? 'resident';
  const charged = chargedFees(jurisdiction, { applicationType, lines, residency, homeState });
  return [...new Set(charged.filter(({ addition }) => addition !== true).map(({ licenseClass }) => licenseClass))];
}

/** The lines of authority that an application of a license type is for until the user chooses. */
export function namedLines({ linesOfAuthority }: Jurisdiction, licenseType: string): string[] {
  return linesOfAuthority
    .filter(({ licenseTypes, optionalFor = [] }) =>
      isOfLicenseType(
        licenseTypes.filter((type) => !optionalFor.includes(type)),
        licenseType,
      ),
    )
    .map(({ id }) => id);
}

/** The fee of a department. */
interface StateFee {
  /** The known part. */
  cents: number;
  /** Whether the known part is all of it. */
  isKnown: boolean;
  /** What the rest depends on. */
  dependsOn: string[];
  sample: boolean;
}

interface Applicant {
  applicationType: string;
  /** The lines that are applied for. */
  lines: readonly string[];
  residency: Residency;
  homeState: StateCode | undefined;
}

function stateFee(jurisdiction: Jurisdiction, applicant: Applicant): StateFee {
  const { lines: chosen } = applicant;
  const charged = chargedFees(jurisdiction, applicant);
  // Also by a fee that another line replaces: it is then 0.
  const matching = jurisdiction.fees.filter((fee) => isFor(fee, applicant));
  const covered = new Set(matching.flatMap(({ addition, lines }) => (addition === true ? [] : lines)));
  const isCovered = chosen.length > 0 && chosen.every((line) => covered.has(line));
  // A surcharge alone would look like the whole fee.
  const hasFee = chosen.some((line) => covered.has(line));
  const counted = hasFee ? charged : [];
  const amounts = counted.map((fee) => amountOf(fee, applicant));
  const unknown = counted.filter(({ dependsOn }, index) => amounts[index] === undefined || dependsOn !== undefined);
  return {
    cents: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    isKnown: isCovered && unknown.length === 0,
    dependsOn: [...new Set(unknown.map(({ dependsOn = homeStateFee }) => dependsOn))],
    sample: !isCovered || charged.some(({ sample }) => sample),
  };
}

function chargedFees({ fees }: Jurisdiction, applicant: Applicant): Fee[] {
  return fees.filter((fee) => isFor(fee, applicant) && timesOf(fee, applicant.lines) > 0);
}

function isFor(fee: Fee, { applicationType, residency }: Applicant): boolean {
  return fee.applicationType === applicationType && fee.residency === residency;
}

/** How often a fee is charged for these lines. */
function timesOf({ lines, per, fromLines = 1, unless = [] }: Fee, chosen: readonly string[]): number {
  const count = chosen.filter((line) => lines.includes(line)).length;
  if (count < fromLines || chosen.some((line) => unless.includes(line))) return 0;
  return per === 'line' ? count - fromLines + 1 : 1;
}

/** The amount of a charged fee, with `dependsOn` the least one; `undefined` when it is only known at filing. */
function amountOf(fee: Fee, { homeState, lines }: Applicant): number | undefined {
  const { byHomeState = {}, retaliatoryFrom = [], stateFeeCents } = fee;
  if (homeState !== undefined && retaliatoryFrom.includes(homeState)) return undefined;
  const own = (homeState && byHomeState[homeState]) ?? stateFeeCents;
  return own && own * timesOf(fee, lines);
}
