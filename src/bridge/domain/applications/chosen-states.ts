import type { StateCode } from '../../../contract/index.js';
import { updateStates } from '../../store/applications/application-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import { saveForOtherStates } from './profile/profile.js';
import { lineRulesOf } from './profile/line-rules.js';
import { changeStep, type ApplySession } from './session.js';

/** The states that the partner asked for, by code. The user applies in all of them, or in some. */
export function offeredStates({ statesKey }: Pick<ApplicationRow, 'statesKey'>): StateCode[] {
  return statesKey.split(',') as StateCode[];
}

/** Whether there is a choice among several states. */
export function mayChooseStates(application: Pick<ApplicationRow, 'statesKey'>): boolean {
  return offeredStates(application).length > 1;
}

/**
 * Leaves out the states that are not chosen, and adds those that were left out before. What the user
 * has typed for a state is kept. A change ends the signature, which was for the states before.
 * States that the partner did not ask for are ignored, because the partner may pay for each.
 * Resolves with whether a state is left, or `undefined` when the application is not open any more.
 */
export function chooseStates(
  context: BridgeContext,
  token: string,
  chosen: ReadonlySet<string>,
): Promise<boolean | undefined> {
  return changeStep(context, token, 'profile', async (trx, session) => {
    const { application } = session;
    const states = offeredStates(application).filter((state) => chosen.has(state));
    if (states.length === 0) return false;
    if (states.join() === [...application.states].sort().join()) return true;
    await updateStates(trx, application.id, states);
    if (session.saved.profile) {
      const changed = { ...session, application: { ...application, states } };
      await saveForOtherStates(context, trx, withLinesReopened(changed, application.states));
    }
    return true;
  });
}

/** Opens the page of the lines for all states again when a new state has rules for them. */
function withLinesReopened(session: ApplySession, before: readonly StateCode[]): ApplySession {
  const { application, profile } = session;
  const added = application.states.filter((state) => !before.includes(state));
  if (added.every((state) => lineRulesOf(session, state).length === 0)) return session;
  return { ...session, profile: { ...profile, confirmed: profile.confirmed.filter((key) => key !== 'authority') } };
}
