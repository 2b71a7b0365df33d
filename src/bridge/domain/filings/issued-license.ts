import { isDeepStrictEqual } from 'node:util';
import { type ApplicationStatus, type StateCode, textLimits } from '../../../contract/index.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database } from '../../store/tables/typed-database.js';
import { requirementsOf } from '../applications/profile/requirements.js';
import type { PinnedCatalogues } from '../catalogue/catalogues.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';

/** A mistake in a part of an issued license. */
export interface LicenseProblem {
  field: keyof IssuedLicense;
  /** `unused`: only an approval issues a license. */
  problem: 'unused' | 'text' | 'day' | 'future' | 'order' | 'unknown';
  /** The expected value, in English. */
  expected: string;
}

/** The lines that a decision can name are those of the catalogue. */
export interface LicenseContext {
  catalogues: PinnedCatalogues;
}

const fields = ['licenseNumber', 'issuedOn', 'expiresOn', 'lines'] as const;

/** The parts of an issued license that were given. Adapters may give more, and empty ones. */
export function givenLicense(given: IssuedLicense): IssuedLicense {
  const entries = fields.flatMap((name) => {
    const value: unknown = given[name];
    const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);
    return isEmpty ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as IssuedLicense;
}

/** Whether a license was given that differs from the recorded one. */
export function isOtherLicense(given: IssuedLicense, recorded: IssuedLicense | null): boolean {
  const license = givenLicense(given);
  return Object.keys(license).length > 0 && !isDeepStrictEqual(license, recorded ?? {});
}

/** The lines of authority of a state that belong to the license type of an application. */
export async function knownLines(
  { catalogues }: LicenseContext,
  db: Database,
  { catalogueVersion, licenseType }: Pick<ApplicationRow, 'catalogueVersion' | 'licenseType'>,
  state: StateCode,
): Promise<{ id: string; name: string }[]> {
  const { linesOf, lineName } = requirementsOf(await catalogues.at(db, catalogueVersion), { licenseType });
  return linesOf(state).map((id) => ({ id, name: lineName(id, 'en') }));
}

/** Checks an issued license. Its values may come from an adapter, whose types are not checked. */
export function checkLicense(
  given: IssuedLicense,
  about: { status: ApplicationStatus; lines: readonly string[]; now: Date },
): LicenseProblem[] {
  const license = givenLicense(given);
  if (about.status !== 'approved') {
    const expected = 'expected only with the status approved';
    return fields.flatMap((field) => (field in license ? [{ field, problem: 'unused', expected }] : []));
  }
  const problems: LicenseProblem[] = [];
  const add = (
    isWrong: boolean,
    field: LicenseProblem['field'],
    problem: LicenseProblem['problem'],
    expected: string,
  ) => isWrong && problems.every((other) => other.field !== field) && problems.push({ field, problem, expected });
  const { licenseNumber, issuedOn, expiresOn, lines } = license;
  const { max } = textLimits.licenseNumber;
  add(!isOneLine(licenseNumber, max), 'licenseNumber', 'text', `expected a line of 1 to ${max} characters`);
  add(!isDay(issuedOn), 'issuedOn', 'day', 'expected a day as YYYY-MM-DD');
  // A day later than in UTC, because the day begins earlier in Guam.
  const latest = new Date(about.now.getTime() + 86_400_000).toISOString().slice(0, 10);
  add((issuedOn ?? '') > latest, 'issuedOn', 'future', 'expected a day that is not in the future');
  add(!isDay(expiresOn), 'expiresOn', 'day', 'expected a day as YYYY-MM-DD');
  add((expiresOn ?? '9999') < (issuedOn ?? ''), 'expiresOn', 'order', 'expected a day that is not before issuedOn');
  const isKnown =
    lines === undefined ||
    (Array.isArray(lines) &&
      new Set(lines).size === lines.length &&
      lines.every((line: unknown) => about.lines.some((known) => known === line)));
  const all = about.lines.join(', ');
  add(!isKnown, 'lines', 'unknown', `expected lines of the state for this license type, each once: ${all}`);
  return problems;
}

/**
 * Returns the license of a decision; null without one.
 *
 * @throws ApiError `invalid_request` when a part of it is wrong.
 */
export async function licenseOf(
  context: LicenseContext & Pick<BridgeContext, 'clock'>,
  db: Database,
  application: Pick<ApplicationRow, 'catalogueVersion' | 'licenseType'>,
  { state, status, ...given }: IssuedLicense & { state: StateCode; status: ApplicationStatus },
): Promise<IssuedLicense | null> {
  const license = givenLicense(given);
  if (Object.keys(license).length === 0) return null;
  const lines = (await knownLines(context, db, application, state)).map(({ id }) => id);
  const [problem] = checkLicense(license, { status, lines, now: context.clock() });
  if (problem) throw new ApiError('invalid_request', `${problem.field}: ${problem.expected}`);
  return license;
}

function isOneLine(text: unknown, max: number): boolean {
  if (text === undefined) return true;
  return typeof text === 'string' && text.trim() !== '' && text.length <= max && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

/** Whether a text is a day of the calendar since 1900: February 30 is none. */
function isDay(text: unknown): boolean {
  if (text === undefined) return true;
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900') return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
