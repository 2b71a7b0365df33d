import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { processorCards, startProcessorServer } from '../../support/processor-server.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor } from '../apply/support/visitor.js';
import { until } from '../until.js';
import { arriveAtPayment, paymentsOf } from './live-applicant.js';

test('A bank account is entered at the processor, whose late notification submits after the user has left.', async (t) => {
  const processor = await startProcessorServer();
  t.after(() => processor.stop());
  const service = await startApplyService({ paymentProcessor: createProcessorAdapter(processor) });
  t.after(() => service.stop());
  // Long after the return of the user, also on a busy machine.
  processor.slowMs = 3_000;
  processor.notify(`${service.applyUrl}/payments/notifications`);
  const { applicationUrl, applicationId } = await arriveAtPayment(service);
  const visitor = createVisitor();
  const page = await visitor.get(`${applicationUrl}/payment`);
  match(page.html, /How do you want to pay\?/);
  equal(/name="(routingNumber|accountNumber|cardNumber)"/.exec(page.html), null, 'no number reaches the bridge');
  const led = await visitor.post(page.url, { method: 'bankAccount' });
  const body = new URLSearchParams({ card: processorCards.bankAccount });
  const back = await fetch(led.url, { method: 'POST', body, redirect: 'manual' });
  equal((await visitor.get(back.headers.get('location') ?? '')).heading, 'We are checking your payment');
  // From here on no page is open.
  const [row] = await until(
    () => paymentsOf(service, applicationId),
    ([payment]) => payment?.status === 'authorized',
  );
  deepEqual([row?.method, row?.cardLast4], ['bankAccount', '']);
  equal(processor.ledger.get(row?.id ?? '')?.method, 'bankAccount');
  equal((await visitor.get(applicationUrl)).heading, 'Application submitted');
});
