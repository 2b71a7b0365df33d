import type { StoredProfile } from '../../../store/tables/tables.js';
import { findApplicant } from '../../../store/applications/applicant-store.js';
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
import {
  claimedPerson,
  hasLastName,
  isSamePerson,
  mergePrefill,
  prefillFromProfile,
  prefillFromRegistry,
  type Prefill,
} from './prefill.js';
import { requirementsOf } from './requirements.js';
import { describeProfile, type ProfileSection } from './rows.js';
import { topics, type ListId, type Values } from './topics.js';
import type { Language, ProducerDetail } from '../../../../contract/index.js';

/** How many entries a list may have. */
export const maxEntries = 40;

/**
 * After so many NPNs with the name or birth date of somebody else, nothing more is filled in from the registry: the home address of
 * a producer is not to be had by trying birth dates.
 */
const maxRegistryMisses = 5;

/** What a session's application is for, as far as it decides what the profile step asks. */
export function appliedFor({ application, pinned }: Pick<ApplySession, 'application' | 'pinned'>): AppliedFor {
  const { application_type: applicationType, states } = application;
  return { applicationType, states, requirements: requirementsOf(pinned, application) };
}

/** The pages of the step, and which of them still want something. */
export function profilePages(
  context: Pick<BridgeContext, 'clock'>,
  session: ApplySession,
): { pages: ProfilePage[]; open: ProfilePage[] } {
  const applied = appliedFor(session);
  return { pages: pagesOf(session.profile, applied), open: openPages(session.profile, applied, context.clock()) };
}

/** Whether the step is complete as it is kept. One that was completed in the version before is to be confirmed once more. */
export function isProfileComplete({ saved }: Pick<ApplySession, 'saved'>): boolean {
  return Boolean(saved.profile?.completed_at) && saved.profile?.data['openPages'] === 0;
}

/** Everything that the step holds, page by page, in one language. */
export function profileRows(session: ApplySession, language: Language): ProfileSection[] {
  return describeProfile(session.profile, appliedFor(session), language);
}

/** The name to sign with. */
export function fullName({ profile }: Pick<ApplySession, 'profile'>): string {
  const { firstName = '', lastName = '' } = valuesOf(profile, 'names');
  return `${firstName} ${lastName}`;
}

/** What is known before the user types: what the partner told, and what the registry knows of the same person. */
export async function readPrefill(context: BridgeContext, session: ApplySession): Promise<Prefill> {
  const { application, profile } = session;
  const applicant = await findApplicant(context.db, application);
  const told = prefillFromProfile(applicant.profile satisfies StoredProfile);
  const person = profile.registryMisses < maxRegistryMisses ? claimedPerson(profile, told) : undefined;
  const producer = person && (await findProducer(context, application.mode, person.npn));
  return producer && isSamePerson(producer, person) ? mergePrefill(told, prefillFromRegistry(producer)) : told;
}

/** What the registry says to an NPN and a last name. */
export type NpnJudgement = 'fine' | 'unknown' | 'otherName';

/** Compares an NPN, as it was typed, with the registry. One that was confirmed before is not doubted again. */
export async function judgeNpn(context: BridgeContext, session: ApplySession, about: Values): Promise<NpnJudgement> {
  const { profile, application } = session;
  const { data: npn } = topics.about.fields.npn.schema.safeParse(about['npn']);
  const wasConfirmed = profile.confirmed.includes('about') && valuesOf(profile, 'about').npn === npn;
  if (npn === undefined || wasConfirmed) return 'fine';
  const producer = await findProducer(context, application.mode, npn);
  if (!producer) return 'unknown';
  return hasLastName(producer, valuesOf(profile, 'names').lastName ?? '') ? 'fine' : 'otherName';
}

async function findProducer(
  context: BridgeContext,
  mode: ApplySession['application']['mode'],
  typedNpn: string,
): Promise<ProducerDetail | undefined> {
  const { data: npn } = topics.about.fields.npn.schema.safeParse(typedNpn);
  return npn === undefined ? undefined : (await context.registry.findProducers(mode, [npn])).get(npn);
}

/** Where a page of the step is saved: the session as the page was shown, and the token of its link. */
export interface ProfileTarget {
  session: ApplySession;
  token: string;
}

/**
 * Saves a page. Complete values are confirmed; others are kept for the user to go on with, unless the page was complete before.
 * Resolves with what the check found, or `undefined` when the application is not open or has no such page any more.
 *
 * @param isHeld Keeps the values, but does not confirm them yet.
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
    const checked = checkPage(page, typed, applied, context.clock());
    const isKeptAsItWas = !checked.values && !isOpen(record, page, applied, context.clock());
    if (!isKeptAsItWas) record.pages[key] = checked.values ?? typed;
    if (checked.values && !isHeld) confirm(record, key);
    if (isMiss) record.registryMisses += 1;
    return checked;
  });
}

/** Adds an entry to a list, or changes the one of an id. Resolves as {@link saveProfilePage}; nothing is kept of an entry with problems. */
export function saveEntry(
  context: BridgeContext,
  { token }: ProfileTarget,
  list: ListId,
  id: string | undefined,
  typed: Values,
): Promise<Checked | undefined> {
  return changeRecord(context, token, (record, applied) => {
    const checked = checkPage({ topic: list }, typed, applied, context.clock());
    if (!checked.values) return checked;
    const entries = record.lists[list];
    const entry = entries.find((one) => one.id === id);
    if (entry) entry.values = checked.values;
    else if (id !== undefined || entries.length >= maxEntries) return undefined;
    else entries.push({ id: randomId('ent'), values: checked.values });
    return checked;
  });
}

/** Removes an entry from a list. One that is gone already stays gone. */
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

/** Confirms a list, if it has all that it must. Resolves with whether it has. */
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

/** Changes the record under the lock of the application and completes the step when nothing is open any more. */
function changeRecord<Result>(
  context: BridgeContext,
  token: string,
  change: (record: ProfileRecord, applied: AppliedFor) => Result,
): Promise<Result | undefined> {
  return changeStep(context, token, 'profile', async (trx, session) => {
    const record = structuredClone(session.profile);
    const applied = appliedFor(session);
    const result = change(record, applied);
    await writeRecord(context, trx, session, record, applied);
    return result;
  });
}

async function writeRecord(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  record: ProfileRecord,
  applied: AppliedFor,
): Promise<void> {
  const open = openPages(record, applied, context.clock()).length;
  // Only the number of pages is readable in the row: already which ones apply says who is no citizen.
  const content = { data: { openPages: open }, secret: JSON.stringify(record) };
  await (open === 0 ? completeStep : saveDraft)(context, trx, session, 'profile', content);
}

function confirm(record: ProfileRecord, key: string): void {
  if (!record.confirmed.includes(key)) record.confirmed.push(key);
}

/** Whether what is typed names a producer of the registry who is another person. */
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
