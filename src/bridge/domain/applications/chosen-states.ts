import type { StateCode } from '../../../contract/index.js';
import { updateStates } from '../../store/applications/application-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import { saveForOtherStates } from './profile/profile.js';
import { changeStep } from './session.js';

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
    if (session.saved.profile) await saveForOtherStates(context, trx, session, states);
    return true;
  });
}
