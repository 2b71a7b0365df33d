import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { correctDecision } from '../../../src/bridge/domain/filings/correct-decision.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { refundPayment } from '../../../src/bridge/domain/payments/operations.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { operatorPassword } from './operator-rows.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService } from './support.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');
const environment = { BRIDGE_SECRET_KEY: secretKey, BRIDGE_SECOND_PERSON: 'corrections,refunds' };
const note = 'It was the decision of another application.';

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment });
});
after(() => service.stop());

let count = 0;
/** Two operators, each in a new browser. */
async function twoOperators() {
  count += 1;
  return Promise.all(['Dana', 'Robin'].map((name) => signedIn(service, `${name} ${count}`, 'file')));
}

/** A live application that Texas approved. */
async function approved(): Promise<string> {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });
  const { applicationId } = session;
  const decision = { applicationId, state: 'TX', status: 'approved', actor: 'cli:tester' } as const;
  await decideState(service.context, { ...decision, override: 'Said by phone', licenseNumber: 'TX-1' });
  return applicationId;
}

async function statusOf(applicationId: string) {
  const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
  return body.states[0]?.status;
}

/** What operators did to an application, of the actions that begin so. */
async function audited(applicationId: string, ...prefixes: string[]) {
  const { db } = service.context;
  const operators = await db.selectFrom('operator').select(['id', 'name']).execute();
  const entries = await db
    .selectFrom('auditEntry')
    .select(['action', 'actor', 'note'])
    .where('subject', 'like', `${applicationId}/%`)
    .orderBy('id')
    .execute();
  const nameOf = (actor: string) => operators.find(({ id }) => actor === `operator:${id}`)?.name.split(' ')[0];
  return entries
    .filter(({ action }) => prefixes.some((prefix) => action.startsWith(prefix)))
    .filter(({ actor }) => nameOf(actor) !== undefined)
    .map(({ action, actor, note: reason }) => [action, nameOf(actor), reason]);
}

test('A correction that one operator proposes takes effect when another confirms it, and not before.', async () => {
  const id = await approved();
  const [dana, robin] = await twoOperators();
  ok(dana && robin);
  const path = `/applications/${id}/states/TX/correction`;
  match((await dana.get(path)).html, /Another operator has to confirm it/);
  const proposed = await dana.post(path, { status: 'denied', note, reason: 'Not eligible', override: 'By phone' });
  match(proposed.html, /The proposal was saved/);
  equal(await statusOf(id), 'approved');

  const own = await dana.get(path);
  match(own.html, /This is your proposal/);
  ok(!own.html.includes('/confirm"'));
  const refused = await dana.post(`${path}/confirm`);
  deepEqual([refused.status, await statusOf(id)], [409, 'approved']);

  match((await robin.get('/')).html, new RegExp(`${path}">Correction of Texas`));
  const page = await robin.get(path);
  for (const text of [note, 'Not eligible', 'By phone', 'Dana']) ok(page.html.includes(text), text);
  match((await robin.post(`${path}/confirm`)).html, /The decision was corrected/);
  equal(await statusOf(id), 'denied');
  deepEqual(await audited(id, 'correction', 'state'), [
    ['correction.proposed', 'Dana', note],
    ['state.overridden', 'Robin', 'By phone'],
    ['state.corrected', 'Robin', note],
  ]);
  ok(!(await robin.get('/')).html.includes(path));
  // A second click confirms nothing.
  equal((await robin.post(`${path}/confirm`)).status, 409);
});

test('A proposal is withdrawn by its operator or by another one, and a new one can follow.', async () => {
  const id = await approved();
  const [dana, robin] = await twoOperators();
  ok(dana && robin);
  const path = `/applications/${id}/states/TX/correction`;
  for (const operator of [dana, robin]) {
    await dana.get(path);
    await dana.post(path, { status: 'pending_review', note });
    await operator.get(path);
    match((await operator.post(`${path}/withdraw`)).html, /The proposal was withdrawn/);
  }
  equal((await robin.post(`${path}/withdraw`)).status, 409);
  equal((await robin.post(`${path}/confirm`)).status, 409);
  equal(await statusOf(id), 'approved');
  const names = (await audited(id, 'correction')).map(([action, name]) => `${action} ${name}`);
  deepEqual(names, [
    'correction.proposed Dana',
    'correction.withdrawn Dana',
    'correction.proposed Dana',
    'correction.withdrawn Robin',
  ]);
});

test('A second proposal does not replace the first, and shows it.', async () => {
  const id = await approved();
  const [dana, robin] = await twoOperators();
  ok(dana && robin);
  const path = `/applications/${id}/states/TX/correction`;
  await robin.get(path);
  await dana.get(path);
  await dana.post(path, { status: 'pending_review', note });
  const second = await robin.post(path, { status: 'denied', note: 'Another mistake', reason: 'No', override: 'Yes' });
  equal(second.status, 422);
  match(second.html, /This has changed since you opened the page/);
  ok(second.html.includes(note));
});

test('A refund that one operator proposes is requested when another confirms it.', async () => {
  const id = await placeSubmitted(service);
  const { db } = service.context;
  await db.updateTable('payment').set({ status: 'captured' }).where('applicationId', '=', id).execute();
  const refunds = () =>
    db
      .selectFrom('paymentRefund')
      .innerJoin('payment', 'payment.id', 'paymentId')
      .select('paymentRefund.amountCents')
      .where('applicationId', '=', id)
      .execute();
  const [dana, robin] = await twoOperators();
  ok(dana && robin);
  const path = `/applications/${id}/refund`;
  const refund = /name="refund" value="([^"]+)"/.exec((await dana.get(path)).html)?.[1] ?? '';
  const reason = 'The department returned it';
  match((await dana.post(path, { refund, amount: '1.00', reason })).html, /The proposal was saved/);
  deepEqual(await refunds(), []);
  await dana.get(path);
  equal((await dana.post(`${path}/confirm`)).status, 409);
  match((await robin.get('/')).html, /Refund of \$1\.00/);
  const page = await robin.get(path);
  ok(page.html.includes(reason) && page.html.includes('Dana'));
  // As any refund, with a fresh proof.
  await db
    .updateTable('operatorSession')
    .set({ provenAt: new Date(0) })
    .execute();
  match((await robin.get(path)).html, /name="proof"/);
  equal((await robin.post(`${path}/confirm`, { proof: 'wrong' })).status, 422);
  deepEqual(await refunds(), []);
  match((await robin.post(`${path}/confirm`, { proof: operatorPassword })).html, /The refund was saved/);
  deepEqual(await refunds(), [{ amountCents: 100 }]);
  deepEqual(await audited(id, 'refund', 'payment.refund_requested'), [
    ['refund.proposed', 'Dana', reason],
    ['payment.refund_requested', 'Robin', reason],
  ]);
});

test('Neither the command line nor a direct call makes such a change alone.', async () => {
  const id = await approved();
  let err = '';
  const variables = { DATABASE_URL: service.databaseUrl, LOG_LEVEL: 'silent', ...environment };
  const given = ['--id', id, '--state', 'TX', '--status', 'pending_review', '--note', note];
  const out = { out: () => undefined, err: (text: string) => void (err += text) };
  equal(await runCli(['application', 'correct', ...given], variables, out), 1);
  match(err, /propose corrections in the console/);
  const about = { applicationId: id, actor: 'cli:tester', note } as const;
  const correction = { ...about, state: 'TX', status: 'pending_review' } as const;
  await rejects(correctDecision(service.context, correction), { failure: 'invalid_transition' });
  await rejects(refundPayment(service.context, { ...about, amountCents: 1 }), { failure: 'invalid_transition' });
  equal(await statusOf(id), 'approved');
});

test('The setting takes either change, both or none.', () => {
  const read = (text: string) => readEnvironment({ BRIDGE_SECOND_PERSON: text }).BRIDGE_SECOND_PERSON;
  deepEqual(read('refunds , corrections'), ['refunds', 'corrections']);
  deepEqual([read('none'), read('')], [[], []]);
  throws(() => read('decisions'), /BRIDGE_SECOND_PERSON/);
});

test('A refund of a further fee is proposed and confirmed for that payment, also on the page of the other one.', async () => {
  const id = await placeSubmitted(service);
  const { db } = service.context;
  const [fees] = await db.selectFrom('payment').selectAll().where('applicationId', '=', id).execute();
  ok(fees);
  await db.updateTable('payment').set({ status: 'captured' }).where('id', '=', fees.id).execute();
  const fee = {
    ...fees,
    id: `${fees.id}x`,
    state: 'TX' as const,
    serial: 1,
    amountCents: 4_500,
    status: 'captured' as const,
  };
  await db.insertInto('payment').values(fee).execute();
  const [dana, robin] = await twoOperators();
  ok(dana && robin);
  const path = `/applications/${id}/refund`;
  const ofFee = `${path}?payment=${fee.id}`;
  const refund = /name="refund" value="([^"]+)"/.exec((await dana.get(ofFee)).html)?.[1] ?? '';
  match(
    (await dana.post(ofFee, { refund, amount: '45.00', reason: 'Texas returned it' })).html,
    /The proposal was saved/,
  );
  for (const page of [path, `${path}?payment=${fees.id}`]) match((await robin.get(page)).html, /\$45\.00[\s\S]*Dana/);
  match((await robin.post(`${path}/confirm`)).html, /The refund was saved/);
  const rows = await db
    .selectFrom('paymentRefund')
    .select(['paymentId', 'amountCents'])
    .where('id', '=', refund)
    .execute();
  deepEqual(rows, [{ paymentId: fee.id, amountCents: 4_500 }]);
});
