import type { Mode, ProducerDetail } from '../../../../contract/index.js';
import { findApplicant } from '../../../store/applications/applicant-store.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import type { BridgeContext } from '../../context.js';
import type { ApplySession } from '../session.js';
import { prefillFromEarlier, readEarlierProfile } from './earlier.js';
import { heldLicenses, licensesConcerned, prefillFromLicenses, type HeldLicense } from './held-licenses.js';
import type { AppliedFor, ProfilePage, ProfileRecord } from './pages.js';
import {
  claimedPerson,
  isSamePerson,
  mergePrefill,
  prefillFromProfile,
  prefillFromRegistry,
  type Prefill,
} from './prefill.js';
import { topics, type ListId } from './topics.js';

/**
 * After this number of NPNs that do not match the name and birth date, nothing is prefilled from
 * the registry, so that trying birth dates does not reveal the home address of a producer.
 */
const maxRegistryMisses = 5;

/** Where a known value comes from: the user's earlier application, or the partner or registry. */
export type KnownFrom = 'earlier' | 'others';

/** The known values and licenses before the user types. */
export interface Known {
  /** By the key of the page. */
  values: Prefill;
  /** `undefined` where nothing is known. */
  from: (page: ProfilePage['key']) => KnownFrom | undefined;
  /** The licenses that the application is about, of the same person in the registry. */
  licenses: HeldLicense[];
}

/**
 * The known values before the user types: what the user confirmed in an earlier application, or
 * else the partner's profile and the registry's record of the same person. An earlier page counts
 * as a whole: two addresses are not mixed.
 */
export async function readPrefill(context: BridgeContext, session: ApplySession, applied: AppliedFor): Promise<Known> {
  const { application, profile } = session;
  const applicant = await findApplicant(context.db, application);
  const fromProfile = prefillFromProfile(applicant.profile);
  const earlier = await readEarlierProfile(context, context.db, session);
  const fromEarlier = earlier ? prefillFromEarlier(earlier) : {};
  const producer = await findApplicantIn(context, session, { ...fromProfile, ...fromEarlier });
  const fromRegistry = producer ? prefillFromRegistry(producer) : {};
  const licenses = producer ? licensesConcerned(heldLicenses(producer), applied) : [];
  const lines = prefillFromLicenses(licenses, applied);
  const known: Prefill = { ...mergePrefill(fromProfile, fromRegistry), ...lines, ...fromEarlier };
  // The earlier application may have led to the license that the registry knows now.
  const values = fromRegistry.residency ? { ...known, residency: fromRegistry.residency } : known;
  const from = (page: string): KnownFrom | undefined => {
    const { [page as keyof Prefill]: value } = values;
    if (value === undefined) return hasEarlierEntry(earlier, profile, page) ? 'earlier' : undefined;
    if (Object.keys(value).length === 0) return undefined;
    return value === fromEarlier[page as keyof Prefill] ? 'earlier' : 'others';
  };
  return { values, licenses, from };
}

/**
 * The licenses of the applicant in the registry, in all states; none when it does not have the
 * person that the profile claims to be.
 */
export async function readHeldLicenses(
  context: Pick<BridgeContext, 'registry'>,
  session: Pick<ApplySession, 'application' | 'profile'>,
): Promise<HeldLicense[]> {
  const producer = await findApplicantIn(context, session, {});
  return producer ? heldLicenses(producer) : [];
}

/** The registry's record of the applicant. `begun`: what the pages begin with that are not typed. */
async function findApplicantIn(
  context: Pick<BridgeContext, 'registry'>,
  { application, profile }: Pick<ApplySession, 'application' | 'profile'>,
  begun: Prefill,
): Promise<ProducerDetail | undefined> {
  const person = profile.registryMisses < maxRegistryMisses ? claimedPerson(profile, begun) : undefined;
  return findPerson(context, application.mode, person);
}

/** The licenses of the person of a profile, in all states, as the registry has them now. */
export async function readLicensesToFile(
  context: Pick<BridgeContext, 'registry'>,
  { application, record }: { application: Pick<ApplicationRow, 'mode'>; record: ProfileRecord },
): Promise<HeldLicense[]> {
  const producer = await findPerson(context, application.mode, claimedPerson(record, {}));
  return producer ? heldLicenses(producer) : [];
}

async function findPerson(
  context: Pick<BridgeContext, 'registry'>,
  mode: Mode,
  person: ReturnType<typeof claimedPerson>,
): Promise<ProducerDetail | undefined> {
  const found = person && (await findProducer(context, mode, person.npn));
  return found && isSamePerson(found, person) ? found : undefined;
}

/** Whether a page is a list with entries of an earlier profile, whose ids it keeps. */
function hasEarlierEntry(earlier: ProfileRecord | undefined, { lists }: ProfileRecord, page: string): boolean {
  if (earlier === undefined || !(page in lists)) return false;
  const list = page as ListId;
  const ids = new Set(earlier.lists[list].map(({ id }) => id));
  return lists[list].some(({ id }) => ids.has(id));
}

/** The registry's record of an NPN, as it was typed. */
export async function findProducer(
  context: Pick<BridgeContext, 'registry'>,
  mode: ApplySession['application']['mode'],
  typedNpn: string,
): Promise<ProducerDetail | undefined> {
  const { data: npn } = topics.about.fields.npn.schema.safeParse(typedNpn);
  return npn === undefined ? undefined : (await context.registry.findProducers(mode, [npn])).get(npn);
}
