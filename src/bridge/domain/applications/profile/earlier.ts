import type { StateCode } from '../../../../contract/index.js';
import { findEarlierProfile } from '../../../store/applications/step-store.js';
import type { Database } from '../../../store/tables/typed-database.js';
import type { BridgeContext } from '../../context.js';
import { readRecord, type ApplySession } from '../session.js';
import type { Entry, ProfileRecord } from './pages.js';
import type { Prefill } from './prefill.js';
import type { TopicId } from './topics.js';

/*
 * What a user typed in an earlier application begins a later one, page by page, to be confirmed.
 * Nothing has to be proved for it: the link of the earlier application showed these pages too.
 * SSN and answers are not part of a profile.
 */

/**
 * The topics about the person. The pages about lines, and about the requirements of states, are
 * asked again.
 */
const kept = [
  'names',
  'about',
  'contact',
  'home',
  'business',
  'mailing',
  'citizenship',
  'work',
  'residency',
  'securities',
  'affiliation',
] as const satisfies readonly TopicId[];

/** Reads the profile of the user's newest other application with a complete one. */
export async function readEarlierProfile(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  { application }: Pick<ApplySession, 'application'>,
): Promise<ProfileRecord | undefined> {
  const earlier = await findEarlierProfile(db, application);
  if (earlier === undefined || !context.keys.of(application.mode).canDecrypt(earlier.encrypted)) return undefined;
  return readRecord(context, { id: earlier.applicationId, mode: application.mode }, earlier);
}

/** The values of an earlier profile for the pages that are asked once. */
export function prefillFromEarlier({ pages, confirmed }: ProfileRecord): Prefill {
  const known = kept.filter((topic) => confirmed.includes(topic) && pages[topic] !== undefined);
  return Object.fromEntries(known.map((topic) => [topic, pages[topic]]));
}

/** The lists of an earlier profile, with the agencies of these states only. */
export function listsFromEarlier({ lists }: ProfileRecord, states: readonly StateCode[]): ProfileRecord['lists'] {
  const agencies = lists.agencies.flatMap(({ id, values }): Entry[] => {
    const common = states.filter((state) => values['states']?.includes(state));
    return common.length === 0 ? [] : [{ id, values: { ...values, states: common } }];
  });
  return { employment: lists.employment, agencies };
}
