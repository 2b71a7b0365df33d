import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { createVisitor, typed } from '../apply/support/visitor.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { until } from '../until.js';
import { signedIn, startConsole, type ConsoleService } from './support.js';

const secretKey = Buffer.alloc(32, 6).toString('base64');

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_TEST_FILING: 'TX', BRIDGE_SECRET_KEY: secretKey } });
});
after(() => service.stop());

/** An application of a user who pays, which people file with Texas. */
async function submit(paymentMethod?: 'partner_billing') {
  const request = { states: ['TX' as const], ...(paymentMethod && { paymentMethod }) };
  const { applicationId, applicationUrl } = await service.createSession(request);
  await placeAt(service, { applicationUrl }, 'receipt');
  const state = async () => (await service.call('GET', `/v1/applications/${applicationId}`)).body.states[0];
  return { applicationId, applicationUrl, state };
}

it('An operator asks for a further fee, the user pays it on the page of the request, and it is on the receipt and can be refunded.', async () => {
  const { applicationId, applicationUrl, state } = await submit();
  const dana = await signedIn(service, 'Dana', 'file');
  const path = `/applications/${applicationId}/states/TX`;
  const ask = { status: 'requires_action', reason: 'Texas raised the fee this month.' };
  await dana.get(path);
  match((await dana.post(path, { ...ask, fee: '4500000' })).html, /Enter an amount of at most \$5,000\.00/);
  match((await dana.post(path, { ...ask, fee: '45', actionUrl: 'https://tx.example' })).html, /Leave this empty when/);
  match((await dana.post(path, { ...ask, fee: '45', status: 'denied' })).html, /Leave this empty unless/);
  equal((await state())?.status, 'pending_review');
  equal((await dana.post(path, { ...ask, fee: '45.00' })).status, 200);
  match((await dana.get(path)).html, /Further fee requested[\s\S]*\$45\.00/);

  const user = createVisitor();
  const { actionUrl = '', reason } = (await state()) ?? {};
  equal(reason, ask.reason);
  const page = await user.get(`${actionUrl}?lang=es`);
  equal(page.heading, 'Texas pide una tarifa adicional');
  match(page.html, /45\.00[\s\S]*Texas raised the fee this month\./);
  const wrong = await user.post(actionUrl, { ...typed.payment, cardNumber: '4242 4242 4242 4241' });
  deepEqual([wrong.status, wrong.html.includes('4241')], [422, false]);
  const refused = await user.post(actionUrl, { ...typed.payment, cardNumber: '4000 0000 0000 0002' });
  deepEqual([refused.status, (await state())?.status], [422, 'requires_action']);
  const paid = await user.post(actionUrl, typed.payment);
  equal(paid.heading, 'Your payment was received');
  equal((await user.get(actionUrl)).heading, 'Your payment was received');
  equal((await state())?.status, 'pending_review');

  const receipt = await user.get(`${applicationUrl}/receipt`);
  match(receipt.html, /Further fee of Texas[\s\S]*\$45\.00/);
  const pdf = await fetch(`${applicationUrl}/receipt.pdf`);
  deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);

  const { db } = service.context;
  const fee = await until(() =>
    db.selectFrom('payment').select('id').where('state', '=', 'TX').where('status', '=', 'captured').executeTakeFirst(),
  );
  const list = (await dana.get('/payments')).html;
  match(list, /Further fee of Texas/);
  const refund = `/applications/${applicationId}/refund?payment=${fee?.id ?? ''}`;
  ok(list.includes(refund));
  const form = await dana.get(refund);
  match(form.html, /\$45\.00/);
  const id = /name="refund" value="([^"]+)"/.exec(form.html)?.[1] ?? '';
  match((await dana.post(refund, { refund: id, amount: '45.01', reason: 'Too much' })).html, /\$45\.00/);
  equal((await dana.post(refund, { refund: id, amount: '45.00', reason: 'Texas returned it' })).status, 200);
  await until(async () =>
    (await user.get(`${applicationUrl}/receipt`)).html.includes('Refunded: $45.00') ? true : undefined,
  );
  // The fees of the application are refunded apart.
  const fees = await dana.get(`/applications/${applicationId}/refund`);
  deepEqual([fees.status, fees.html.includes('$45.00')], [200, false]);
});

it('From a bank account the request stays open until the bank has confirmed it, and the user may leave.', async () => {
  const { applicationId, state } = await submit();
  const asked = { applicationId, state: 'TX', status: 'requires_action', reason: 'More.', feeCents: 4_500 } as const;
  await decideState(service.context, asked);
  const { actionUrl = '' } = (await state()) ?? {};
  const account = { routingNumber: '110000000', accountNumber: '000123456789', accountNumberAgain: '000123456789' };
  const paying = { method: 'bankAccount', nameOnAccount: 'Ana Rivera', ...account };
  const waiting = await createVisitor().post(actionUrl, paying);
  match(waiting.html, /We are checking your payment[\s\S]*your application continues/);
  equal((await state())?.status, 'requires_action');
  await until(async () => (await createVisitor().get(actionUrl)).heading === 'Your payment was received');
  equal((await state())?.status, 'pending_review');
});

it('The form has no further fee where the partner pays, and one that is sent is refused.', async () => {
  const { applicationId, state } = await submit('partner_billing');
  const dana = await signedIn(service, 'Robin', 'file');
  const path = `/applications/${applicationId}/states/TX`;
  equal((await dana.get(path)).html.includes('name="fee"'), false);
  const asked = await dana.post(path, { status: 'requires_action', reason: 'More.', fee: '45' });
  deepEqual([asked.status, asked.html.includes('Bill the partner')], [422, true]);
  equal((await state())?.status, 'pending_review');
});

it('The command line asks for one, too, and is told where it cannot.', async () => {
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
  const move = ['--state', 'TX', '--status', 'requires_action', '--reason', 'More.', '--fee-cents', '4500'];
  let err = '';
  const output = { out: () => undefined, err: (text: string) => void (err += text) };
  const run = (id: string) => runCli(['application', 'decide', '--id', id, ...move], variables, output);
  const { applicationId, state } = await submit();
  equal(await run(applicationId), 0);
  match((await createVisitor().get((await state())?.actionUrl ?? '')).html, /\$45\.00/);
  equal(await run((await submit('partner_billing')).applicationId), 1);
  match(err, /bill the partner/);
});
