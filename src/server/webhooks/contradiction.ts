import type { ReceivedWebhookEvent } from '../../contract/index.js';
import type { KnownApplication } from '../applications/record.js';
import { isFinalStatus, isSubmitted } from '../applications/known-application.js';

/**
 * Compares the claim of a webhook with the application as it was read after the webhook arrived.
 * Returns what the bridge does not confirm, or `undefined`. A host may answer from a copy that lags
 * behind its own webhooks.
 */
export function findContradiction(event: ReceivedWebhookEvent, application: KnownApplication): string | undefined {
  switch (event.type) {
    case 'application.session_started':
      return undefined;
    case 'application.submitted':
      return isSubmitted(application) ? undefined : 'submitted';
    case 'application.progress_updated': {
      const { index } = event.data;
      // A completed step stays completed when the user goes on.
      const isConfirmed = index === undefined || isSubmitted(application) || application.progress.index >= index;
      return isConfirmed ? undefined : `step ${String(index)} completed`;
    }
    case 'application.requires_action': {
      const { state } = event.data;
      return state === undefined ? undefined : unconfirmed(state, 'requires_action', event.createdAt, application);
    }
    case 'application.status_changed':
    case 'unknown':
      return event.data.states
        .map(({ state, status }) => unconfirmed(state, status, event.createdAt, application))
        .find((claim) => claim !== undefined);
  }
}

function unconfirmed(
  state: string,
  status: string,
  claimedAt: string | undefined,
  application: KnownApplication,
): string | undefined {
  const current = application.states.find((other) => other.state === state);
  if (current?.status === status) return undefined;
  // Webhooks may be late: the state may have moved on from a status that is not final.
  const hasMovedOn =
    current !== undefined &&
    !isFinalStatus(status) &&
    // Without both times it cannot be known. A webhook that was repeated for days would keep back all that follow it.
    (isFinalStatus(current.status) || !(Date.parse(current.updatedAt) < Date.parse(claimedAt ?? '')));
  return hasMovedOn ? undefined : `${state} ${status}`;
}
