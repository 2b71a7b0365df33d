import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import { manualFiling } from '../../../src/bridge/ports/filing-gateway.js';
import type { Application, ApplicationStatus, StateCode, WebhookEvent } from '../../../src/contract/index.js';
import { createProcessorAdapter } from '../../support/processor-adapter.js';
import { processorCards, startProcessorServer, type ProcessorServer } from '../../support/processor-server.js';
import { createVisitor } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService, type OperatorVisitor } from '../console/support.js';
import { arriveAtPayment, paymentsOf } from '../payments/live-applicant.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

/**
 * Live webhooks are sent to public addresses only. The test's network leads this one to the
 * receiver.
 */
const webhookUrl = 'https://partner.example/hooks';

let processor: ProcessorServer;
let receiver: Receiver;
let service: ConsoleService;
before(async () => {
  processor = await startProcessorServer();
  receiver = await startReceiver();
  const network = createWebhookSender(() => new Date(), { isLoopbackAllowed: true });
  service = await startConsole({
    paymentProcessor: createProcessorAdapter(processor),
    filingGateway: manualFiling(),
    sender: {
      send(webhook, signal) {
        equal(webhook.url, webhookUrl);
        return network.send({ ...webhook, url: receiver.url, mode: 'test' }, signal);
      },
      close: () => network.close(),
    },
  });
});
after(async () => {
  await service.stop();
  await receiver.close();
  await processor.stop();
});

/** The application in the partner's API. */
async function read(applicationId: string): Promise<Application> {
  return (await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live })).body;
}

/** The application after a webhook has arrived. */
async function told(applicationId: string, isMeant: (event: WebhookEvent) => boolean): Promise<Application> {
  await until(async () => receiver.received.some(({ event }) => isMeant(event)));
  return read(applicationId);
}

/** Whether an event has the new status of a state. */
const says =
  (state: StateCode, status: ApplicationStatus) =>
  (event: WebhookEvent): boolean =>
    event.type === 'application.status_changed' &&
    event.data.states.some((changed) => changed.state === state && changed.status === status);

const statuses = ({ states }: Application) => Object.fromEntries(states.map(({ state, status }) => [state, status]));

/** Claims the waiting filing of a state and enters it as filed. */
async function file(operator: OperatorVisitor, applicationId: string, state: StateCode, reference: string) {
  const path = `/filings/${applicationId}/${state}`;
  match((await operator.get('/filings')).html, new RegExp(`href="${path}"`));
  await operator.get(path);
  match((await operator.post(`${path}/claim`)).html, /You have claimed the filing/);
  match((await operator.post(`${path}/filed`, { reference })).html, /The filing was saved/);
}

async function decide(operator: OperatorVisitor, id: string, state: StateCode, fields: Record<string, string>) {
  await operator.get(`/applications/${id}/states/${state}`);
  match((await operator.post(`/applications/${id}/states/${state}`, fields)).html, /The decision was saved/);
}

test('A live application is signed, paid with 3-D Secure, filed by people, asked for an answer and a further fee, approved and refunded.', async () => {
  const { applicationUrl, applicationId } = await arriveAtPayment(service, { webhookUrl });
  await told(applicationId, ({ type, data }) => type === 'application.progress_updated' && data.step === 'review');
  deepEqual((await read(applicationId)).states, []);

  // The user pays on the pages of the processor and of the bank.
  const user = createVisitor();
  const { url: processorPage } = await user.post(`${applicationUrl}/payment`, { method: 'card' });
  equal(new URL(processorPage).origin, processor.url);
  match((await user.post(processorPage, { card: processorCards.challenged })).html, /Code from your bank/);
  const back = await user.post(processorPage, { code: '123456' });
  const receipt = await user.get(back.url);
  equal(receipt.heading, 'Application submitted');
  match(receipt.html, /What happens next/);
  const submitted = await told(applicationId, ({ type }) => type === 'application.submitted');
  deepEqual(statuses(submitted), { TX: 'pending_review', CA: 'pending_review' });
  const [payment] = await paymentsOf(service, applicationId);
  const books = () => processor.ledger.get(payment?.id ?? '');
  deepEqual([books()?.status, books()?.capturedCents], ['authorized', 0]);

  // The operator files with both states, and the fees are captured with the first.
  const operator = await signedIn(service, 'Dana', 'file');
  await file(operator, applicationId, 'TX', 'TX-2026-1');
  await file(operator, applicationId, 'CA', 'CA-2026-1');
  await until(async () => books()?.capturedCents === payment?.amountCents);

  // Texas approves, and California asks for a document.
  await decide(operator, applicationId, 'TX', { status: 'approved', reason: '' });
  const approved = await told(applicationId, says('TX', 'approved'));
  deepEqual(statuses(approved), { TX: 'approved', CA: 'pending_review' });
  await decide(operator, applicationId, 'CA', { status: 'requires_action', reason: 'Send the court order.' });
  const asked = await told(applicationId, ({ type }) => type === 'application.requires_action');
  const california = asked.states.find(({ state }) => state === 'CA');
  deepEqual([california?.status, california?.reason], ['requires_action', 'Send the court order.']);

  // The user answers.
  const { actionUrl = '' } = california ?? {};
  match((await user.get(actionUrl)).html, /Send the court order\./);
  const sent = await user.post(actionUrl, { answer: 'Here is the order.', confirm: 'yes' });
  equal(sent.heading, 'Your answer was sent');
  deepEqual(statuses(await read(applicationId)), { TX: 'approved', CA: 'pending_review' });

  // The operator files the answer, and California raises its fee. The user pays the difference.
  await file(operator, applicationId, 'CA', 'CA-2026-2');
  await decide(operator, applicationId, 'CA', { status: 'requires_action', reason: 'The fee is $233.', fee: '45.00' });
  const raised = await told(applicationId, ({ data }) => 'reason' in data && data.reason === 'The fee is $233.');
  const feeUrl = raised.states.find(({ state }) => state === 'CA')?.actionUrl ?? '';
  match((await user.get(feeUrl)).html, /\$45\.00/);
  const { url: feePage } = await user.post(feeUrl, { method: 'card' });
  const refused = await user.post(feePage, { card: processorCards.declined });
  match((await user.get(refused.url)).html, /declined[\s\S]*\$45\.00/);
  const { url: secondPage } = await user.post(feeUrl, { method: 'card' });
  const paid = await user.post(secondPage, { card: processorCards.accepted });
  equal((await user.get(paid.url)).heading, 'Your payment was received');
  const fee = (await paymentsOf(service, applicationId)).find(({ state, status }) => state && status !== 'declined');
  await until(async () => processor.ledger.get(fee?.id ?? '')?.capturedCents === 4_500);
  match((await user.get(`${applicationUrl}/receipt`)).html, /Further fee of California[\s\S]*\$45\.00/);

  // The operator pays it to the state, and California approves.
  await file(operator, applicationId, 'CA', 'CA-2026-3');
  await decide(operator, applicationId, 'CA', { status: 'approved', reason: '' });
  const done = await told(applicationId, says('CA', 'approved'));
  deepEqual(statuses(done), { TX: 'approved', CA: 'approved' });
  const last = await user.get(`${applicationUrl}/receipt`);
  equal(last.heading, 'Application approved');
  match(last.html, /Every state below has approved your application\.</);
  ok(!last.html.includes('What happens next'));

  // The operator gives back a part of the fees.
  const path = `/applications/${applicationId}/refund`;
  const refund = /name="refund" value="([^"]+)"/.exec((await operator.get(path)).html)?.[1] ?? '';
  const reason = 'Texas waived a part of its fee';
  match((await operator.post(path, { refund, amount: '20.00', reason })).html, /The refund was saved/);
  await until(async () => books()?.refunds[refund] === 2_000);
  // The processor refunds a moment before the bridge records it.
  await until(async () => (await user.get(`${applicationUrl}/receipt`)).html.includes('$20.00'));

  // Every webhook arrived once and in order. None of them, nor the log, contains data of the user.
  const types = receiver.received.map(({ event }) => event.type);
  const rest = types.slice(types.indexOf('application.submitted'));
  deepEqual(rest, [
    'application.submitted',
    'application.status_changed',
    'application.status_changed',
    'application.requires_action',
    'application.status_changed',
    'application.status_changed',
    'application.requires_action',
    'application.status_changed',
    'application.status_changed',
  ]);
  const outside = JSON.stringify(receiver.received) + service.logged.join('');
  ok(!/234-?56-?7891|Rivera|Here is the order/.test(outside));
});
