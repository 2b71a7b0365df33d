import type { StateCode } from '../../contract/index.js';
import type { ApplicationRow } from '../store/tables/tables.js';

/** The kinds of disclosure. Their words, with the name of the state filled in, are in the folders of the languages. */
export const disclosureIds = [
  'background_check',
  'truthful',
  'public_record',
  'privacy_notice',
  'child_support_review',
  'tax_review',
  'fraud_warning',
  'fingerprints',
  'electronic_notices',
] as const;

/** One of {@link disclosureIds}. */
export type DisclosureId = (typeof disclosureIds)[number];

/** What a signature attests. */
export const attestationIds = ['true', 'authorize', 'update'] as const;

/** One of {@link attestationIds}. */
export type AttestationId = (typeof attestationIds)[number];

/** One statement that the user acknowledges for one state. */
export interface Disclosure {
  /** What is saved and posted, such as `TX:public_record`. */
  key: string;
  state: StateCode;
  id: DisclosureId;
}

/** What every state wants to be acknowledged. */
const everywhere: readonly DisclosureId[] = ['background_check', 'truthful'];

/** What some states add. Plausible and synthetic, as the question bank. */
const byState: Partial<Record<StateCode, readonly DisclosureId[]>> = {
  AZ: ['fingerprints'],
  CA: ['privacy_notice', 'tax_review', 'child_support_review'],
  CO: ['public_record'],
  FL: ['public_record', 'fingerprints'],
  GA: ['privacy_notice'],
  IL: ['child_support_review', 'tax_review'],
  LA: ['fraud_warning'],
  MA: ['tax_review'],
  MN: ['privacy_notice'],
  NJ: ['fraud_warning', 'child_support_review'],
  NY: ['child_support_review', 'fraud_warning'],
  OH: ['fraud_warning'],
  PA: ['fraud_warning', 'fingerprints'],
  TX: ['public_record', 'fingerprints'],
  UT: ['electronic_notices'],
  VA: ['electronic_notices'],
  WA: ['public_record', 'electronic_notices'],
  PR: ['tax_review'],
};

/** The disclosures of an application, state by state as they were asked for. */
export function disclosuresFor({ states }: Pick<ApplicationRow, 'states'>): Disclosure[] {
  return states.flatMap((state) =>
    [...everywhere, ...(byState[state] ?? [])].map((id) => ({ key: `${state}:${id}`, state, id })),
  );
}
