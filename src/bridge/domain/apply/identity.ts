import { findApplicant } from '../../store/applications/applicant-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database } from '../../store/tables/typed-database.js';
import { changeStep, type ApplySession } from './session.js';
import { completeStep, readSecret } from './step.js';
import type { BridgeContext } from '../context.js';

/** Where the SSN of an application comes from: all that a page may ever know of it. */
export type SsnSource = 'typed' | 'earlier';

/** Whether the bridge holds the user's SSN from an earlier application. */
export async function hasEarlierSsn(context: BridgeContext, session: ApplySession): Promise<boolean> {
  return (await findEarlierSsn(context, context.db, session)) !== undefined;
}

/** Completes the identity step with an SSN that the user typed: nine digits. */
export function saveTypedSsn(context: BridgeContext, token: string, ssn: string): Promise<true | undefined> {
  return changeStep(context, token, 'identity', async (trx, session) => {
    const source: SsnSource = 'typed';
    await completeStep(context, trx, session, 'identity', { data: { source }, secret: ssn });
    return true as const;
  });
}

/** Completes the identity step with the SSN of an earlier application; `false` when there is none. */
export function reuseEarlierSsn(context: BridgeContext, token: string): Promise<boolean | undefined> {
  return changeStep(context, token, 'identity', async (trx, session) => {
    const sealed = await findEarlierSsn(context, trx, session);
    if (sealed === undefined) return false;
    const secret = context.keys.unseal(sealed, applicantPlace(session.application));
    const source: SsnSource = 'earlier';
    await completeStep(context, trx, session, 'identity', { data: { source }, secret });
    return true;
  });
}

async function findEarlierSsn(
  { keys }: BridgeContext,
  db: Database,
  { application }: ApplySession,
): Promise<string | undefined> {
  const { ssn_sealed: sealed } = await findApplicant(db, application);
  return sealed !== null && keys.canUnseal(sealed) ? sealed : undefined;
}

/** Where this application's SSN comes from; `undefined` before the step is complete. */
export function ssnSource(session: ApplySession): SsnSource | undefined {
  return session.saved.identity?.data['source'] as SsnSource | undefined;
}

/** The SSN for the departments, and sealed for the user's next application. */
export function takeSsn(context: BridgeContext, session: ApplySession): { last4: string; sealedForApplicant: string } {
  const ssn = readSecret(context, session, 'identity');
  if (!ssn) throw new Error('The identity step is not complete.');
  return { last4: ssn.slice(-4), sealedForApplicant: context.keys.seal(ssn, applicantPlace(session.application)) };
}

/** The row that an applicant's sealed SSN belongs to. */
export function applicantPlace(application: Pick<ApplicationRow, 'agency_id' | 'mode' | 'user_id'>): string {
  // JSON, because a partner chooses user ids and could otherwise build the place of somebody else.
  return `applicant:${JSON.stringify([application.agency_id, application.mode, application.user_id])}`;
}
