import { isFinalStatus, isSubmitted, type KnownApplication } from '../applications/known-application.js';
import type { Delivery } from './delivery.js';
import type { WebhookCheck } from './webhook-check.js';

/**
 * The default check: a webhook is only a hint. The application is read again from the bridge (operation 19), and what that
 * says is told; of what the webhook claims, nothing. The check fails when the bridge does not bear the claim out.
 */
export function confirmWithBridge(): WebhookCheck {
  return {
    name: 'confirm-with-bridge',
    async check({ delivery, readApplication }) {
      const contradiction = findContradiction(delivery, await readApplication());
      // A host may answer from a copy that lags behind its own webhooks.
      return contradiction === undefined ? { ok: true } : { ok: false, reason: contradiction, mayPassLater: true };
    },
  };
}

function findContradiction({ type, claims }: Delivery, application: KnownApplication): string | undefined {
  const notSo = (claim: string) => `The bridge does not say "${claim}".`;
  if (type === 'application.submitted' && !isSubmitted(application)) return notSo('submitted');

  const { completedIndex } = claims;
  const { progress } = application;
  // A claim that a step was completed stays true when the user goes on, so it is borne out by any later step.
  if (completedIndex !== undefined && !isSubmitted(application) && progress.index < completedIndex) {
    return notSo(`step ${String(completedIndex)}`);
  }

  for (const { state, status } of claims.states) {
    const current = application.states.find((other) => other.state === state);
    // Webhooks may be late, and only a final status stays.
    if (current && (current.status === status || !isFinalStatus(status))) continue;
    return notSo(status);
  }
  return undefined;
}
