import { disclosuresFor } from './disclosures.js';
import { changeStep, type ApplySession } from './session.js';
import { completeStep, saveDraft } from './step.js';
import type { BridgeContext } from '../context.js';

/** The keys of the disclosures that the user acknowledged, such as `TX:records`. */
export function acknowledgedKeys(session: ApplySession): ReadonlySet<string> {
  return new Set((session.saved.disclosures?.data['acknowledged'] ?? []) as string[]);
}

/** The keys of the disclosures that still want to be acknowledged. */
export function openDisclosures(session: ApplySession, acknowledged = acknowledgedKeys(session)): string[] {
  return disclosuresFor(session.application)
    .map(({ key }) => key)
    .filter((key) => !acknowledged.has(key));
}

/** Saves what the user acknowledged; the step is complete when nothing is left, and stays so. Keys that were not asked are dropped. */
export function saveAcknowledgements(
  context: BridgeContext,
  token: string,
  keys: readonly string[],
): Promise<true | undefined> {
  return changeStep(context, token, 'disclosures', async (trx, session) => {
    const asked = disclosuresFor(session.application).map(({ key }) => key);
    const acknowledged = asked.filter((key) => keys.includes(key));
    const content = { data: { acknowledged } };
    if (acknowledged.length === asked.length) await completeStep(context, trx, session, 'disclosures', content);
    else if (!session.saved.disclosures?.completed_at) await saveDraft(context, trx, session, 'disclosures', content);
    return true as const;
  });
}
