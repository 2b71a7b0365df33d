import type { StateCode } from '../../../contract/index.js';
import { findProfileSteps, type ProfileStepRow } from '../../store/applications/step-store.js';
import type { Residency } from '../../catalogue/content.js';
import type { BridgeContext } from '../context.js';
import { chosenLines, residencyIn, valuesOf } from './profile/pages.js';
import { parseRecord } from './profile/prefill.js';
import { associatedData } from './session.js';

/** The applicant of an application, as a row of a list shows them. */
export interface ListedPerson {
  firstName: string;
  /** "" when the user has not typed a name yet. */
  lastName: string;
  /** The number for phone calls; "" before the submission. */
  receiptNumber: string;
  /** `undefined` before it was typed. */
  homeState: StateCode | undefined;
  /** How a state treats the applicant; `undefined` before it is known. */
  residencyIn(state: StateCode): Residency | undefined;
  /** The English names of the lines of authority that the user applies for in a state. */
  linesOf(state: StateCode): string[];
}

/**
 * Reads the applicants of some applications, by id. Those without a readable profile are missing:
 * nothing was typed, it was erased, or its key is missing. Only for operators who may read private
 * data.
 */
export async function readPeople(
  context: Pick<BridgeContext, 'db' | 'keys' | 'catalogues'>,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, ListedPerson>> {
  const rows = await findProfileSteps(context.db, [...new Set(applicationIds)]);
  const readable = rows.filter(({ mode, encrypted }) => context.keys.of(mode).canDecrypt(encrypted));
  const entries = readable.map(async (row) => [row.applicationId, await personOf(context, row)] as const);
  return new Map(await Promise.all(entries));
}

/** The name for a list, in the order of an index: `Rivera, Ana`. */
export function listedName({ firstName, lastName }: Pick<ListedPerson, 'firstName' | 'lastName'>): string {
  return [lastName, firstName].filter(Boolean).join(', ');
}

async function personOf(
  { db, keys, catalogues }: Pick<BridgeContext, 'db' | 'keys' | 'catalogues'>,
  { applicationId, mode, encrypted, states, catalogueVersion, receiptNumber }: ProfileStepRow,
): Promise<ListedPerson> {
  const record = parseRecord(keys.of(mode).decrypt(encrypted, associatedData(applicationId, 'profile')));
  const { firstName = '', lastName = '' } = valuesOf(record, 'names');
  const { homeState } = valuesOf(record, 'residency');
  const { texts, jurisdiction } = await catalogues.at(db, catalogueVersion);
  const nameOf = (line: string) => texts.en.linesOfAuthority[line] ?? line;
  const offeredIn = (state: StateCode) => jurisdiction(state).linesOfAuthority.map(({ id }) => id);
  const linesOf = (state: StateCode) => (chosenLines(record, state, offeredIn(state)) ?? []).map(nameOf);
  return {
    firstName,
    lastName,
    receiptNumber: receiptNumber ?? '',
    homeState,
    residencyIn: (state) => residencyIn(record, state, states),
    linesOf,
  };
}
