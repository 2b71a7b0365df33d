import type { LicensingApplyError } from '../errors.js';
import type { ApplicationSnapshot, StateSnapshot } from '../store/snapshot.js';
import { formatList } from './formats.js';
import type { Language } from './language.js';
import type { Texts } from './texts.js';

/** The full name of a state; its code when the name is not known. */
export function stateName(texts: Texts, code: string): string {
  return lookUp(texts.stateNames, code) ?? code;
}

/**
 * The name of a status. A status that is newer than this build is shown as the words of its code.
 */
export function statusName(texts: Texts, { status, reason }: { status: string; reason?: string | undefined }): string {
  // "In review" would be wrong while the state does not review the application.
  const waiting = status === 'pending_review' && reason ? lookUp(texts.waiting, reason) : undefined;
  return waiting ?? lookUp(texts.statuses, status) ?? status.replaceAll('_', ' ');
}

/** The description of an error: of its code, else of its category. */
export function errorText(texts: Texts, { code, category }: Pick<LicensingApplyError, 'code' | 'category'>): string {
  return lookUp(texts.errors, code) ?? lookUp(texts.errors, category) ?? texts.errorTitle;
}

/**
 * The current step, such as "Step 3 of 6 · Background questions"; "" before the application was
 * opened.
 */
export function stepLine(
  texts: Texts,
  { step, index, count }: Pick<ApplicationSnapshot, 'step' | 'index' | 'count'>,
): string {
  const name = texts.steps[step];
  if (step === 'submitted') return name;
  return index && count ? texts.step({ index, count, name }) : '';
}

/** The announcement of new statuses, such as "Texas: Approved and Ohio: Denied". */
export function statusAnnouncement(
  { texts, locale }: Pick<Language, 'texts' | 'locale'>,
  states: readonly Pick<StateSnapshot, 'state' | 'status' | 'reason'>[],
): string {
  const statuses = states.map((each) =>
    texts.stateStatus({ state: stateName(texts, each.state), status: statusName(texts, each) }),
  );
  return formatList(statuses, locale);
}

/** A key from the network may be unknown, or a property of `Object.prototype`. */
function lookUp(texts: object, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? (texts as Readonly<Record<string, string>>)[key] : undefined;
}
