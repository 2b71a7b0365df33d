import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applicationStatuses, type WebhookEvent } from '../../../src/contract/index.js';
import { completeApplication } from '../../../src/bridge/domain/applications/complete-application.js';
import { readApplication } from '../../../src/bridge/domain/applications/read-application.js';
import { receiptNumberOf } from '../../../src/bridge/domain/applications/receipt-number.js';
import type { PaymentProcessor } from '../../../src/bridge/ports/payment-processor.js';
import { findApplicationById } from '../../../src/bridge/store/applications/application-store.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { createApplication } from '../applications.js';
import { until } from '../until.js';
import { startReceiver, type Receiver } from '../receiver.js';

describe('The test helper that completes an application', () => {
  let bridge: TestBridge;
  let receiver: Receiver;
  before(async () => {
    bridge = await startBridge({ environment: { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true' } });
    receiver = await startReceiver();
  });
  after(async () => {
    await bridge.stop();
    await receiver.close();
  });

  const complete = (applicationId: string, body: object = {}) =>
    bridge.call('POST', `/v1/test_helpers/applications/${applicationId}/complete`, { body });
  const create = async (request: object) => {
    const body = {
      ...{ userId: `usr_${(users += 1)}`, applicationType: 'new', licenseType: 'life_health', states: ['TX'] },
      ...{ returnUrl: 'https://partner.example/done', webhookUrl: receiver.url },
      ...request,
    };
    const { status, body: session } = await bridge.call('POST', '/v1/applications/sessions', { body });
    equal(status, 200, JSON.stringify(session));
    return session.applicationId;
  };
  let users = 0;

  test('A backend receives the webhooks of a user who does every step and pays.', async () => {
    const applicationId = await create({ states: ['TX', 'FL'] });
    const { status, body } = await complete(applicationId, { outcome: 'approved' });
    equal(status, 200, JSON.stringify(body));
    equal(body.progress.step, 'submitted');
    equal(body.receiptNumber, receiptNumberOf(applicationId));
    await receiver.arrival(9);
    const events = receiver.received.map(({ event }) => describeEvent(event));
    deepEqual(events, [
      'application.session_started',
      ...['profile', 'identity', 'background', 'disclosures', 'review'].map(
        (step) => `application.progress_updated ${step}`,
      ),
      // The payment completes it.
      'application.submitted',
      ...['application.status_changed', 'application.status_changed'],
    ]);
    const payment = await bridge.context.db
      .selectFrom('payment')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .executeTakeFirstOrThrow();
    equal(payment.cardLast4, '4242');
  });

  for (const outcome of applicationStatuses) {
    test(`The departments decide as asked: ${outcome}.`, async () => {
      const applicationId = await create({ paymentMethod: 'partner_billing' });
      const owner = { agencyId: bridge.agencyId, mode: 'test' } as const;
      equal((await complete(applicationId, { outcome })).status, 200);
      await until(
        async () => (await readApplication(bridge.context, owner, applicationId))?.states[0]?.status === outcome,
      );
    });
  }

  test('Where the partner pays, it does not matter what the payment processor takes.', async () => {
    const processorFor = () => ({ ...bridge.context.processorFor('test'), cardEntry: 'page' }) as PaymentProcessor;
    const completeOwn = async (request: object) =>
      completeApplication(
        { ...bridge.context, processorFor },
        { owner: { agencyId: bridge.agencyId, mode: 'test' }, applicationId: await create(request), address: '' },
      );
    await completeOwn({ paymentMethod: 'partner_billing' });
    await rejects(completeOwn({}), /the payment processor takes no test card/);
  });

  test('The synced profile is used, except for values that a user could not confirm.', async () => {
    const profile = { firstName: 'Robin', lastName: 'Example', dateOfBirth: '2024-02-29', phone: '512-555-0199' };
    await bridge.call('PATCH', '/v1/users/usr_synced/licensing-profile', { body: profile });
    const applicationId = await create({ userId: 'usr_synced' });
    equal((await complete(applicationId)).status, 200);
    const review = await bridge.context.db
      .selectFrom('applicationStep')
      .select('data')
      .where('applicationId', '=', applicationId)
      .where('step', '=', 'review')
      .executeTakeFirstOrThrow();
    equal(review.data['signedName'], 'Robin Example');
  });

  test('An application that was submitted is not completed again.', async () => {
    const applicationId = await createApplication(bridge);
    equal((await complete(applicationId)).status, 200);
    const { submittedAt } = await findApplicationById(bridge.context.db, applicationId);
    const { status, body } = await complete(applicationId);
    equal(status, 400);
    match(JSON.stringify(body), /expected an application that is open: create a session/);
    deepEqual((await findApplicationById(bridge.context.db, applicationId)).submittedAt, submittedAt);
  });
});

function describeEvent({ type, data }: WebhookEvent): string {
  return 'step' in data ? `${type} ${data.step}` : type;
}
