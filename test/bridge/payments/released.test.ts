import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
import type { ApplicationStatus, StateCode } from '../../../src/contract/index.js';
import { createVisitor } from '../apply/support/visitor.js';
import { until } from '../until.js';
import {
  arriveAtPayment,
  type LiveService,
  paymentsOf,
  payOnProcessorPage,
  startLiveService,
} from './live-applicant.js';

describe('the reserved fees of a live application', () => {
  let service: LiveService;
  before(async () => {
    service = await startLiveService();
  });
  after(() => service.stop());

  /** A live application for Texas and California, paid and submitted. */
  async function submitPaid() {
    const { applicationId, applicationUrl } = await arriveAtPayment(service);
    equal((await payOnProcessorPage(applicationUrl)).heading, 'Application submitted');
    const decide = (state: StateCode, status: ApplicationStatus) =>
      decideState(service.context, { applicationId, state, status, reason: 'They said so.' });
    const [payment] = await paymentsOf(service, applicationId);
    const entry = () => service.processor.ledger.get(payment?.id ?? '');
    return { applicationId, applicationUrl, decide, entry };
  }
  const auditOf = async (applicationId: string) =>
    (
      await service.context.db
        .selectFrom('audit_entry')
        .select('action')
        .where('subject', 'like', `${applicationId}/pay_%`)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);

  it('Reserved fees are released once when every state has denied and none was filed.', async () => {
    const { applicationId, applicationUrl, decide, entry } = await submitPaid();
    await decide('TX', 'denied');
    equal((await paymentsOf(service, applicationId))[0]?.void_requested_at, null);
    await decide('CA', 'denied');
    await until(
      () => paymentsOf(service, applicationId),
      ([row]) => row?.voided_at !== null,
    );
    deepEqual([entry()?.isVoided, entry()?.capturedCents], [true, 0]);
    deepEqual(await auditOf(applicationId), ['payment.authorized', 'payment.voided']);
    match((await createVisitor().get(`${applicationUrl}/receipt`)).html, /Released again: nothing was charged/);
  });

  it('A bank account is entered at the processor, whose late notification submits after the user has left.', async () => {
    service.processor.notify(`${service.applyUrl}/payments/notifications`, 50);
    const { applicationUrl, applicationId } = await arriveAtPayment(service);
    const page = await createVisitor().get(`${applicationUrl}/payment`);
    match(page.html, /How do you want to pay\?/);
    equal(/name="(routingNumber|accountNumber|cardNumber)"/.exec(page.html), null, 'no number reaches the bridge');
    equal((await payOnProcessorPage(applicationUrl, 'bankAccount')).heading, 'We are checking your payment');
    // From here on no page is open.
    const [row] = await until(
      () => paymentsOf(service, applicationId),
      ([payment]) => payment?.status === 'accepted',
    );
    deepEqual([row?.method, row?.card_last4], ['bankAccount', '']);
    equal(service.processor.ledger.get(row?.id ?? '')?.method, 'bankAccount');
    equal((await createVisitor().get(applicationUrl)).heading, 'Application submitted');
  });
});
