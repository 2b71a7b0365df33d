import type { ProducerDetail } from '../../../../contract/index.js';
import { findApplicant } from '../../../store/applications/applicant-store.js';
import type { BridgeContext } from '../../context.js';
import type { ApplySession } from '../session.js';
import { prefillFromEarlier, readEarlierProfile } from './earlier.js';
import { heldLicenses, licensesConcerned, prefillFromLicenses, type HeldLicense } from './held-licenses.js';
import type { AppliedFor, ProfileRecord } from './pages.js';
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
  from: (page: keyof Prefill) => KnownFrom;
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
  const begun = { ...fromProfile, ...fromEarlier };
  const person = profile.registryMisses < maxRegistryMisses ? claimedPerson(profile, begun) : undefined;
  const found = person && (await findProducer(context, application.mode, person.npn));
  const producer = found && isSamePerson(found, person) ? found : undefined;
  const fromRegistry = producer ? prefillFromRegistry(producer) : {};
  const licenses = producer ? licensesConcerned(heldLicenses(producer), applied) : [];
  const lines = prefillFromLicenses(licenses, applied);
  const known: Prefill = { ...mergePrefill(fromProfile, fromRegistry), ...lines, ...fromEarlier };
  // The earlier application may have led to the license that the registry knows now.
  const values = fromRegistry.residency ? { ...known, residency: fromRegistry.residency } : known;
  const isEarlier = (page: keyof Prefill) => page in fromEarlier && values[page] === fromEarlier[page];
  return { values, licenses, from: (page) => (isEarlier(page) ? 'earlier' : 'others') };
}

/** The licenses of the person of a profile in the registry. */
export async function readHeldLicenses(
  context: Pick<BridgeContext, 'registry'>,
  { application, record }: { application: Pick<ApplySession['application'], 'mode'>; record: ProfileRecord },
): Promise<HeldLicense[]> {
  const person = claimedPerson(record, {});
  const found = person && (await findProducer(context, application.mode, person.npn));
  return found && isSamePerson(found, person) ? heldLicenses(found) : [];
}

/** Whether a list holds entries of an earlier application that are not confirmed here. */
export async function isListFromEarlier(context: BridgeContext, session: ApplySession, list: ListId): Promise<boolean> {
  const { lists, confirmed } = session.profile;
  if (confirmed.includes(list) || lists[list].length === 0) return false;
  const earlier = await readEarlierProfile(context, context.db, session);
  return lists[list].some(({ id }) => earlier?.lists[list].some((entry) => entry.id === id));
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
