import type { License, ProducerDetail, StateCode } from '../../../../contract/index.js';
import { offeredOn, pageKey, stateIn, statesWithLines, type AppliedFor } from './pages.js';
import { foldName, isoDayOf, type Prefill } from './prefill.js';

/** A license of the applicant, as the registry has it. */
export interface HeldLicense {
  state: StateCode;
  number: string;
  /** The class in the words of the registry. */
  licenseClass: string;
  isActive: boolean;
  /** Whether the state is the home state. */
  isResident: boolean;
  /** `YYYY-MM-DD`; "" when the registry has no day. */
  expires: string;
  /** The lines in the words of the registry: of an active license, those in force. */
  lines: string[];
  /** The credits of continuing education that are still needed. */
  creditsNeeded: number;
}

/**
 * Names of lines in the registry, folded, and the line of the catalogue. A name that is not here
 * counts as no line: the user chooses.
 */
const lineOfName: Readonly<Record<string, string>> = {
  life: 'life',
  'accident and health or sickness': 'accident_health',
  'accident and health': 'accident_health',
  'accident health': 'accident_health',
  health: 'accident_health',
  'variable life and variable annuity': 'variable',
  'variable life variable annuity': 'variable',
  property: 'property',
  casualty: 'casualty',
  'personal lines': 'personal_lines',
  credit: 'credit',
  crop: 'crop',
  travel: 'travel',
  'car rental': 'car_rental',
  surety: 'surety',
  'surplus lines': 'surplus_lines',
  title: 'title',
};

/** The licenses of a producer, by state. */
export function heldLicenses({ licenseInformation }: Pick<ProducerDetail, 'licenseInformation'>): HeldLicense[] {
  return licenseInformation.flatMap(({ state, licenses }) => {
    const code = stateIn(state);
    return code === undefined ? [] : licenses.map((license) => heldLicense(code, license));
  });
}

function heldLicense(state: StateCode, license: License): HeldLicense {
  const { active, details } = license;
  const counting = active ? details.filter(({ status }) => status === 'Active') : details;
  return {
    state,
    number: license.licenseNumber,
    licenseClass: license.licenseClass,
    isActive: active,
    isResident: license.residencyStatus === 'R',
    expires: isoDayOf(license.licenseExpiryDate),
    lines: counting.map(({ loa }) => loa),
    creditsNeeded: Math.max(0, ...details.map(({ ceCreditsNeeded }) => ceCreditsNeeded)),
  };
}

/**
 * The licenses that an application is about: for a new one, the active ones of the home state; else
 * those of its states, also when they have ended, because a reinstatement is about these.
 */
export function licensesConcerned(licenses: readonly HeldLicense[], applied: AppliedFor): HeldLicense[] {
  return applied.applicationType === 'new'
    ? licenses.filter(({ isActive, isResident }) => isActive && isResident)
    : licenses.filter(({ state }) => applied.states.includes(state));
}

/** The lines of the active licenses among some, by their ids. */
export function activeLines(licenses: readonly HeldLicense[]): string[] {
  const names = licenses.filter(({ isActive }) => isActive).flatMap(({ lines }) => lines);
  return idsOf(names);
}

/** Whether the catalogue knows each line of a license. It does not know a name that means several lines. */
export function hasOnlyKnownLines({ lines }: Pick<HeldLicense, 'lines'>): boolean {
  return idsOf(lines).length === lines.length;
}

/** The ids of lines by their names in the registry, without those that have none. */
function idsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => lineOfName[foldName(name)] ?? []);
}

/**
 * The lines that the pages of an application begin with: for a new license those held at home, else
 * those of the license in each state.
 */
export function prefillFromLicenses(concerned: readonly HeldLicense[], applied: AppliedFor): Prefill {
  const heldIn = (state: StateCode) => {
    const ofState = applied.applicationType === 'new' ? concerned : concerned.filter((one) => one.state === state);
    const ids = new Set(idsOf(ofState.flatMap(({ lines }) => lines)));
    return applied.requirements.linesOf(state).filter((line) => ids.has(line));
  };
  const held = statesWithLines(applied).map((state) => ({ state, lines: heldIn(state) }));
  if (held.every(({ lines }) => lines.length === 0)) return {};
  const perState = Object.fromEntries(held.map(({ state, lines }) => [pageKey('lines', state), { lines }]));
  if (held.length === 1) return perState;
  // One choice serves all states when it means the held lines in each of them.
  const all = offeredOn({ topic: 'authority' }, applied).filter((line) =>
    held.some(({ lines }) => lines.includes(line)),
  );
  const isSame = held.every(({ state, lines }) => {
    const offered = applied.requirements.linesOf(state).filter((line) => all.includes(line));
    return offered.length === lines.length;
  });
  return isSame ? { authority: { spread: 'same', lines: all } } : { authority: { spread: 'each' }, ...perState };
}
