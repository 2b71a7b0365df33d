import type { Language } from '../../../contract/index.js';
import { type Disclosure, disclosuresFor } from '../../catalogue/disclosures.js';
import { disclosureWording, isCurrent, type Wording } from '../../catalogue/wording.js';
import type { BridgeContext } from '../context.js';
import { type ApplySession, changeStep } from './session.js';
import { completeStep, saveDraft } from './step.js';

/** The keys of the disclosures that the user acknowledged as they are worded now, such as `TX:records`. */
export function acknowledgedKeys({ application, saved }: ApplySession): ReadonlySet<string> {
  const wordings = (saved.disclosures?.data['wordings'] ?? {}) as Record<string, Wording>;
  const isAcknowledged = (disclosure: Disclosure) =>
    isCurrent(wordings[disclosure.key], (language) => disclosureWording(disclosure, language));
  return new Set(
    disclosuresFor(application)
      .filter(isAcknowledged)
      .map(({ key }) => key),
  );
}

/** The keys of the disclosures that still want to be acknowledged. */
export function openDisclosures(session: ApplySession, acknowledged = acknowledgedKeys(session)): string[] {
  return disclosuresFor(session.application)
    .map(({ key }) => key)
    .filter((key) => !acknowledged.has(key));
}

/**
 * Saves what the user acknowledged; the step is complete when nothing is left, and stays so. Keys that were not asked are dropped.
 *
 * @param language In which the disclosures were shown.
 */
export function saveAcknowledgements(
  context: BridgeContext,
  token: string,
  keys: readonly string[],
  language: Language,
): Promise<true | undefined> {
  return changeStep(context, token, 'disclosures', async (trx, session) => {
    const asked = disclosuresFor(session.application);
    const acknowledged = asked.filter(({ key }) => keys.includes(key));
    const wordings = Object.fromEntries(
      acknowledged.map((disclosure) => {
        const { version } = disclosureWording(disclosure, language);
        return [disclosure.key, { version, language } satisfies Wording];
      }),
    );
    const content = { data: { acknowledged: acknowledged.map(({ key }) => key), wordings } };
    const isComplete = acknowledged.length === asked.length;
    // What is acknowledged in full is not undone by a page that was left half ticked, unless it was reworded meanwhile.
    const isKept = session.saved.disclosures?.completed_at && openDisclosures(session).length === 0;
    if (isComplete) await completeStep(context, trx, session, 'disclosures', content);
    else if (!isKept) await saveDraft(context, trx, session, 'disclosures', content);
    return true as const;
  });
}
