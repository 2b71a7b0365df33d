import type { Language } from '../../../contract/index.js';
import { type AskedDisclosure, disclosuresFor } from '../../catalogue/disclosures.js';
import { disclosureWording, isCurrent, type Wording } from '../../catalogue/wording.js';
import type { BridgeContext } from '../context.js';
import { askedOf } from './profile/pages.js';
import { type ApplySession, changeStep } from './session.js';
import { completeStep, saveDraft } from './step.js';

/** An acknowledged wording, with the states that it named. */
export interface AcknowledgedWording extends Wording, Pick<AskedDisclosure, 'states'> {}

/** The disclosures of an application for the residency of its user in each state. */
export function disclosuresOf(session: Pick<ApplySession, 'pinned' | 'application' | 'profile'>): AskedDisclosure[] {
  return disclosuresFor(session.pinned, askedOf(session));
}

/**
 * The ids of the disclosures that the user acknowledged in their current wording, for the states of
 * the application, or for more of them: a text that named a state that was left out since still holds
 * for the others.
 */
export function acknowledgedIds(session: ApplySession): ReadonlySet<string> {
  const { pinned, saved } = session;
  const wordings = (saved.disclosures?.data['wordings'] ?? {}) as Record<string, AcknowledgedWording>;
  const acknowledged = disclosuresOf(session).filter((disclosure) => {
    const wording = wordings[disclosure.id];
    const named = { ...disclosure, states: wording?.states ?? [] };
    return (
      disclosure.states.every((state) => named.states.includes(state)) &&
      isCurrent(wording, (language) => disclosureWording(pinned, named, language))
    );
  });
  return new Set(acknowledged.map(({ id }) => id));
}

/** The ids of the disclosures without an acknowledgement. */
export function openDisclosures(session: ApplySession, acknowledged = acknowledgedIds(session)): string[] {
  return disclosuresOf(session)
    .map(({ id }) => id)
    .filter((id) => !acknowledged.has(id));
}

/**
 * Saves acknowledgements. The step is complete when none is missing, and stays complete. Unknown
 * ids are ignored.
 *
 * @param language The language of the shown disclosures.
 */
export function saveAcknowledgements(
  context: BridgeContext,
  token: string,
  ids: ReadonlySet<string>,
  language: Language,
): Promise<true | undefined> {
  return changeStep(context, token, 'disclosures', async (trx, session) => {
    const { pinned } = session;
    const asked = disclosuresOf(session);
    const acknowledged = asked.filter(({ id }) => ids.has(id));
    const wordings = Object.fromEntries(
      acknowledged.map((disclosure) => {
        const { id, states } = disclosure;
        const { version } = disclosureWording(pinned, disclosure, language);
        return [id, { version, language, states } satisfies AcknowledgedWording];
      }),
    );
    const content = { data: { acknowledged: acknowledged.map(({ id }) => id), wordings } };
    const isComplete = acknowledged.length === asked.length;
    // A page with unticked boxes does not undo a complete acknowledgement, unless a disclosure was
    // reworded meanwhile.
    const isKept = session.saved.disclosures?.completedAt && openDisclosures(session).length === 0;
    if (isComplete) await completeStep(context, trx, session, 'disclosures', content);
    else if (!isKept) await saveDraft(context, trx, session, 'disclosures', content);
    return true as const;
  });
}
