import { applyEdits, modify } from 'jsonc-parser';
import type { StateCode } from '../../contract/index.js';
import type { Confirmation, Jurisdiction, Residency } from './content.js';

/** The entries of a state that the operator has compared with the department. */
export interface Confirmed {
  state: StateCode;
  /** Its fees, or what it requires besides the application. Default: both. */
  part?: 'fees' | 'requirements' | undefined;
  /** The residency of the fees. Default: both. */
  residency?: Residency | undefined;
  /** The application type of the fees. Default: all. */
  applicationType?: string | undefined;
}

/**
 * Marks entries as confirmed in the text of `jurisdictions.json`, which keeps its form. Returns the
 * new text and the number of entries. The processing fee of a state is confirmed with any of its
 * fees.
 */
export function confirmEntries(
  text: string,
  { state, part, residency, applicationType }: Confirmed,
  confirmation: Confirmation,
): { text: string; count: number } {
  const jurisdictions = JSON.parse(text) as Jurisdiction[];
  const index = jurisdictions.findIndex(({ code }) => code === state);
  const fees = jurisdictions[index]?.fees ?? [];
  const isMeant = (fee: (typeof fees)[number]) =>
    fee.residency === (residency ?? fee.residency) && fee.applicationType === (applicationType ?? fee.applicationType);
  const ofFees = fees.flatMap((fee, at) => (isMeant(fee) ? [['fees', at]] : []));
  const paths = [
    ...(part === 'requirements' || ofFees.length === 0 ? [] : [['processingFee'], ...ofFees]),
    ...(part === 'fees' || index < 0 ? [] : [[]]),
  ];
  const set = (from: string, path: (string | number)[], value: unknown) =>
    applyEdits(from, modify(from, [index, ...path], value, {}));
  const confirmed = paths.reduce(
    (from, path) => set(set(from, [...path, 'sample'], false), [...path, 'confirmed'], confirmation),
    text,
  );
  return { text: confirmed, count: paths.length };
}
