import { ok } from 'node:assert/strict';
import type { CreateSessionRequest } from '../../../src/contract/index.js';
import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { processorCards, startProcessorServer, type ProcessorServer } from '../../support/processor-server.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';

/** A bridge in live mode with a separate processor and manual filing. */
export interface LiveService extends ApplyService {
  processor: ProcessorServer;
}

/** Starts both. The processor has its own payment page. */
export async function startLiveService(options: Parameters<typeof startApplyService>[0] = {}): Promise<LiveService> {
  const processor = await startProcessorServer();
  const service = await startApplyService({ paymentProcessor: createProcessorAdapter(processor), ...options });
  const stop = async () => {
    await service.stop();
    await processor.stop();
  };
  return { ...service, processor, stop };
}

/** Completes a live application up to its payment by the user. */
export async function arriveAtPayment(service: ApplyService, request: Partial<CreateSessionRequest> = {}) {
  const session = await service.createSession(request, { mode: 'live' });
  // Live mode takes no numbers that are for tests.
  const identity = { ssn: '234-56-7891', ssnAgain: '234-56-7891' };
  const page = await walkTo(createVisitor(), { ...session, ...request }, 'payment', { identity });
  ok(page.url.endsWith('/payment'), page.title);
  return session;
}

/** Pays on the processor's page, and returns. Resolves with the resulting page. */
export async function payOnProcessorPage(applicationUrl: string, method: 'card' | 'bankAccount' = 'card') {
  const visitor = createVisitor();
  const led = await visitor.post(`${applicationUrl}/payment`, { method });
  const card = method === 'card' ? processorCards.accepted : processorCards.bankAccount;
  const back = await fetch(led.url, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' });
  return visitor.get(back.headers.get('location') ?? led.url);
}

/** The payments of an application, the oldest first. */
export function paymentsOf({ context }: ApplyService, applicationId: string) {
  return context.db
    .selectFrom('payment')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
}
