import type { DatabaseTransaction } from '../../../store/tables/typed-database.js';
import { changeStep, type ApplySession } from '../session.js';
import { completeStep, saveDraft } from '../step.js';
import type { BridgeContext } from '../../context.js';
import { randomId } from '../../keys/keys.js';
import type { Checked } from './check.js';
import {
  checkPage,
  isListComplete,
  isOpen,
  openPages,
  pagesOf,
  valuesOf,
  type AppliedFor,
  type ProfilePage,
  type ProfileRecord,
} from './pages.js';
import { listsFromEarlier, readEarlierProfile } from './earlier.js';
import { findProducer } from './known.js';
import { reopenLines } from './line-rules.js';
import { claimedPerson, hasLastName, isSamePerson } from './prefill.js';
import { requirementsOf } from './requirements.js';
import { describeProfile, type ProfileSection } from './rows.js';
import { topics, type ListId, type Values } from './topics.js';
import type { Language, StateCode } from '../../../../contract/index.js';

/** The maximum number of entries of a list. */
export const maxEntries = 40;

/** The properties of a session's application that determine the pages of the profile step. */
export function appliedFor({ application, pinned }: Pick<ApplySession, 'application' | 'pinned'>): AppliedFor {
  const { applicationType, states } = application;
  return { applicationType, states, requirements: requirementsOf(pinned, application) };
}

/** The pages of the step, and the incomplete ones. */
export function profilePages(
  context: Pick<BridgeContext, 'clock'>,
  session: ApplySession,
): { pages: ProfilePage[]; open: ProfilePage[] } {
  const applied = appliedFor(session);
  return { pages: pagesOf(session.profile, applied), open: openPages(session.profile, applied, context.clock()) };
}

/** Whether the stored step is complete: a page may have opened again after a change. */
export function isProfileComplete({ saved }: Pick<ApplySession, 'saved'>): boolean {
  return Boolean(saved.profile?.completedAt) && saved.profile?.data['openPages'] === 0;
}

/** The contents of the step by page, in one language. */
export function profileRows(session: ApplySession, language: Language): ProfileSection[] {
  return describeProfile(session.profile, appliedFor(session), language);
}

/** The name to sign with. */
export function fullName({ profile }: Pick<ApplySession, 'profile'>): string {
  const { firstName = '', lastName = '' } = valuesOf(profile, 'names');
  return `${firstName} ${lastName}`;
}

/** The result of a look-up of an NPN and a last name in the registry. */
export type NpnCheck = 'fine' | 'unknown' | 'otherName';

/**
 * Compares a typed NPN with the registry. An NPN that was confirmed before is not checked again.
 */
export async function checkNpn(context: BridgeContext, session: ApplySession, about: Values): Promise<NpnCheck> {
  const { profile, application } = session;
  const { data: npn } = topics.about.fields.npn.schema.safeParse(about['npn']);
  const wasConfirmed = profile.confirmed.includes('about') && valuesOf(profile, 'about').npn === npn;
  if (npn === undefined || wasConfirmed) return 'fine';
  const producer = await findProducer(context, application.mode, npn);
  // An empty registry was never filled: it says nothing about the NPN.
  if (!producer) return (await context.registry.isEmpty?.(application.mode)) === true ? 'fine' : 'unknown';
  return hasLastName(producer, valuesOf(profile, 'names').lastName ?? '') ? 'fine' : 'otherName';
}

/**
 * The target of a saved page: the session at the time when the page was shown, and the token of its
 * link.
 */
export interface ProfileTarget {
  session: ApplySession;
  token: string;
}

/**
 * Saves a page. Complete values are confirmed; incomplete ones are stored as a draft, unless the
 * page was complete before. Resolves with the result of the check, or `undefined` when the
 * application is not open or the page no longer applies.
 *
 * @param isHeld Stores the values without confirming them.
 */
export async function saveProfilePage(
  context: BridgeContext,
  target: ProfileTarget,
  key: string,
  typed: Values,
  isHeld = false,
): Promise<Checked | undefined> {
  const isMiss = await isRegistryMiss(context, target.session, key, typed);
  return changeRecord(context, target.token, (record, applied) => {
    const page = pagesOf(record, applied).find((one) => one.key === key);
    if (!page) return undefined;
    const checked = checkPage(record, page, typed, applied, context.clock());
    const isKeptAsItWas = !checked.values && !isOpen(record, page, applied, context.clock());
    if (!isKeptAsItWas) record.pages[key] = checked.values ?? typed;
    if (checked.values && !isHeld) confirm(record, key);
    if (isMiss) record.registryMisses += 1;
    return checked;
  });
}

/**
 * Adds an entry to a list, or changes the one with an id. Resolves as {@link saveProfilePage}; an
 * entry with problems is not stored.
 */
export function saveEntry(
  context: BridgeContext,
  { token }: ProfileTarget,
  list: ListId,
  id: string | undefined,
  typed: Values,
): Promise<Checked | undefined> {
  return changeRecord(context, token, (record, applied) => {
    const checked = checkPage(record, { topic: list }, typed, applied, context.clock());
    if (!checked.values) return checked;
    const entries = record.lists[list];
    const entry = entries.find((one) => one.id === id);
    if (entry) entry.values = checked.values;
    else if (id !== undefined || entries.length >= maxEntries) return undefined;
    else entries.push({ id: randomId('ent'), values: checked.values });
    return checked;
  });
}

/** Removes an entry from a list. Does nothing when it was removed already. */
export function removeEntry(
  context: BridgeContext,
  { token }: ProfileTarget,
  list: ListId,
  id: string,
): Promise<true | undefined> {
  return changeRecord(context, token, (record) => {
    record.lists[list] = record.lists[list].filter((entry) => entry.id !== id);
    return true;
  });
}

/** Confirms a list when it is complete. Resolves with whether it is complete. */
export function confirmList(
  context: BridgeContext,
  { token }: ProfileTarget,
  list: ListId,
): Promise<boolean | undefined> {
  return changeRecord(context, token, (record, applied) => {
    const isComplete = isListComplete(record, list, applied, context.clock());
    if (isComplete) confirm(record, list);
    return isComplete;
  });
}

/**
 * Changes the record under the lock of the application, and completes the step when no page is
 * incomplete.
 */
function changeRecord<Result>(
  context: BridgeContext,
  token: string,
  change: (record: ProfileRecord, applied: AppliedFor) => Result,
): Promise<Result | undefined> {
  return changeStep(context, token, 'profile', async (trx, session) => {
    const record = structuredClone(session.profile);
    const applied = appliedFor(session);
    const earlier = session.saved.profile ? undefined : await readEarlierProfile(context, trx, session);
    if (earlier) record.lists = listsFromEarlier(earlier, applied.states);
    const result = change(record, applied);
    reopenLines({ record, applied }, { record: session.profile, applied });
    await writeRecord(context, trx, session, record, applied);
    return result;
  });
}

/**
 * Saves the record of an application whose states change, because they determine which pages are
 * incomplete. Ends the signature.
 */
export async function saveForOtherStates(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  states: StateCode[],
): Promise<void> {
  const changed = { ...session, application: { ...session.application, states } };
  const record = structuredClone(session.profile);
  const applied = appliedFor(changed);
  reopenLines({ record, applied }, { record: session.profile, applied: appliedFor(session) });
  await writeRecord(context, trx, changed, record, applied);
}

async function writeRecord(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  record: ProfileRecord,
  applied: AppliedFor,
): Promise<void> {
  const open = openPages(record, applied, context.clock()).length;
  // Only the number of pages is readable in the row: their names would reveal, for example, that an
  // applicant is not a citizen.
  const content = { data: { openPages: open }, secret: JSON.stringify(record) };
  await (open === 0 ? completeStep : saveDraft)(context, trx, session, 'profile', content);
}

function confirm(record: ProfileRecord, key: string): void {
  if (!record.confirmed.includes(key)) record.confirmed.push(key);
}

/** Whether the typed NPN belongs to another person in the registry. */
async function isRegistryMiss(
  context: BridgeContext,
  { application, profile }: ApplySession,
  key: string,
  typed: Values,
): Promise<boolean> {
  if (key !== 'names' && key !== 'about') return false;
  const person = claimedPerson({ ...profile, pages: { ...profile.pages, [key]: typed } }, {});
  const producer = person && (await findProducer(context, application.mode, person.npn));
  return person !== undefined && producer !== undefined && !isSamePerson(producer, person);
}
