import type { ResidentialAddress } from '../../../contract/index.js';
import { findApplicant } from '../../store/applications/applicant-store.js';
import type { BridgeContext } from '../context.js';
import { type ApplySession, changeStep } from './session.js';
import { completeStep, saveDraft } from './step.js';

/** Who applies, as confirmed by the user. Kept with the application only: the partner's own record stays as it was. */
export interface ApplyProfile {
  npn?: string | undefined;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** `YYYY-MM-DD` */
  dateOfBirth: string;
  residentialAddress: ResidentialAddress;
}

/** A profile on its way: prefilled by the partner or saved half done. */
export type DraftProfile = { [Key in Exclude<keyof ApplyProfile, 'residentialAddress'>]?: string | undefined } & {
  residentialAddress?: { [Key in keyof ResidentialAddress]?: string | undefined } | undefined;
};

/** What the profile page starts from: what was saved in this application, else what the partner told. */
export async function readDraftProfile(context: BridgeContext, session: ApplySession): Promise<DraftProfile> {
  const saved = session.saved.profile;
  if (saved) return saved.data;
  const applicant = await findApplicant(context.db, session.application);
  return applicant.profile;
}

/** Saves a profile that is not complete yet. One that was complete before stays as it was. */
export function saveDraftProfile(
  context: BridgeContext,
  token: string,
  profile: DraftProfile,
): Promise<true | undefined> {
  return changeStep(context, token, 'profile', async (trx, session) => {
    if (!session.saved.profile?.completed_at)
      await saveDraft(context, trx, session, 'profile', { data: { ...profile } });
    return true as const;
  });
}

/** Completes the profile step. */
export function saveProfile(context: BridgeContext, token: string, profile: ApplyProfile): Promise<true | undefined> {
  return changeStep(context, token, 'profile', async (trx, session) => {
    await completeStep(context, trx, session, 'profile', { data: { ...profile } });
    return true as const;
  });
}

/** The confirmed profile. @throws Error before the step was completed. */
export function readProfile(session: ApplySession): ApplyProfile {
  const saved = session.saved.profile;
  if (!saved?.completed_at) throw new Error('The profile step is not complete.');
  return saved.data as unknown as ApplyProfile;
}

/** The name to sign with. */
export function fullName(profile: Pick<ApplyProfile, 'firstName' | 'lastName'>): string {
  return `${profile.firstName} ${profile.lastName}`;
}
