import type { CreateSessionRequest } from '../../../src/contract/index.js';
import type { ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';

/** Completes a live application up to its payment by the user. */
export async function arriveAtPayment(service: ApplyService, request: Partial<CreateSessionRequest> = {}) {
  const session = await service.createSession(request, { mode: 'live' });
  // Live mode takes no numbers that are for tests.
  await placeAt(service, session, 'payment', { ssn: '234-56-7891' });
  return session;
}

/** The payments of an application, the oldest first. */
export function paymentsOf({ context }: ApplyService, applicationId: string) {
  return context.db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('createdAt')
    .execute();
}
