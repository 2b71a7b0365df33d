import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createVisitor } from '../apply/support/visitor.js';
import { until } from '../until.js';
import {
  arriveAtPayment,
  type LiveService,
  paymentsOf,
  payOnProcessorPage,
  startLiveService,
} from './live-applicant.js';

describe('a bank account in live mode', () => {
  let service: LiveService;
  before(async () => {
    service = await startLiveService();
    service.processor.slowMs = 300;
    service.processor.notify(`${service.applyUrl}/payments/notifications`, 50);
  });
  after(() => service.stop());

  it('A live bank account is handled by the processor, and a late notification submits after the user has left.', async () => {
    const { applicationUrl, applicationId } = await arriveAtPayment(service);
    const page = await createVisitor().get(`${applicationUrl}/payment`);
    match(page.html, /How do you want to pay\?/);
    equal(/name="(routingNumber|accountNumber|cardNumber)"/.exec(page.html), null, 'no number reaches the bridge');
    equal((await payOnProcessorPage(applicationUrl, 'bankAccount')).heading, 'We are checking your payment');
    // From here on no page is open.
    await until(
      () => paymentsOf(service, applicationId),
      ([row]) => row?.status === 'accepted',
    );
    const [row] = await paymentsOf(service, applicationId);
    deepEqual([row?.method, row?.card_last4], ['bankAccount', '']);
    equal(service.processor.ledger.get(row?.id ?? '')?.method, 'bankAccount');
    equal((await createVisitor().get(applicationUrl)).heading, 'Application submitted');
  });
});
