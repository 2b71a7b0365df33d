import type { LicensingProfile, UserLicensingProfile } from '../../../contract/index.js';
import { mergeProfile, type ProfileChange } from '../../store/applications/applicant-store.js';
import type { Owner } from '../../store/owner.js';
import type { StoredProfile } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';

/** The fields of a profile, in the order of the response. */
const profileFields = [
  'npn',
  'firstName',
  'lastName',
  'email',
  'phone',
  'dateOfBirth',
  'residentialAddress',
] as const satisfies readonly (keyof LicensingProfile)[];

/** The largest difference of a time zone ahead of UTC. */
const firstClocksMs = 14 * 3_600_000;

/**
 * Merges a partner's profile of a user, and creates the user when there is none (operation 17).
 *
 * @throws ApiError `invalid_request` for a date of birth in the future.
 */
export async function syncProfile(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  owner: Owner,
  userId: string,
  profile: LicensingProfile,
): Promise<UserLicensingProfile> {
  assertHasBegun(profile.dateOfBirth, context.clock());
  const merged = await mergeProfile(context.db, owner, userId, changeOf(profile), context.clock());
  const known = profileFields.flatMap((field) => {
    const value = merged.profile[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { userId, ...(Object.fromEntries(known) as StoredProfile), updatedAt: merged.updatedAt.toISOString() };
}

/**
 * Rejects a day that has not begun in any time zone, which the user would otherwise have to
 * correct.
 */
function assertHasBegun(dateOfBirth: string | null | undefined, now: Date): void {
  const newestDay = new Date(now.getTime() + firstClocksMs).toISOString().slice(0, 10);
  if (dateOfBirth === undefined || dateOfBirth === null || dateOfBirth <= newestDay) return;
  throw new ApiError('invalid_request', 'dateOfBirth: expected a day that is not in the future');
}

function changeOf(profile: LicensingProfile): ProfileChange {
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  const kept = given.filter(([, value]) => value !== null);
  const set = Object.fromEntries(kept.map(([field, value]) => [field, value as unknown])) as StoredProfile;
  return { set, remove: given.filter(([, value]) => value === null).map(([field]) => field) };
}
