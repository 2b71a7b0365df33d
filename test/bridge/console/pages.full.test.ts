import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApplication, submitApplication } from '../applications.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import { createOperatorVisitor, signedIn, startConsole, placeSubmitted, type ConsoleService } from './support.js';
import { createOperator } from '../../../src/bridge/domain/operators/operators.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';

let service: ConsoleService;
before(async () => {
  service = await startConsole();
});
after(() => service.stop());

test("An operator signs in, finds an application by its status, and enters the department's decision.", async () => {
  const id = await createApplication(service, { states: ['TX', 'CA'] });
  await submitApplication(service, id, '0004');
  const operator = await signedIn(service, 'Dana', 'file');
  const home = await operator.get('/');
  assert.match(home.html, /href="\/applications\?mode=test&amp;status=pending_review&amp;age=day"/);
  const list = await operator.get('/applications?mode=test&status=pending_review&age=day&state=TX');
  assert.match(list.html, new RegExp(`/applications/${id}"`));
  assert.doesNotMatch((await operator.get('/applications?status=approved')).html, new RegExp(id));
  assert.match((await operator.get(`/applications/${id}`)).html, /states\/CA/);
  await operator.get(`/applications/${id}/states/CA`);
  const missing = await operator.post(`/applications/${id}/states/CA`, { status: 'requires_action' });
  assert.equal(missing.status, 422);
  assert.match(missing.html, /Write what the department said/);
  const sent = { status: 'requires_action', reason: 'A certificate, please.', actionUrl: '' };
  const decided = await operator.post(`/applications/${id}/states/CA`, sent);
  assert.match(decided.html, /The decision was saved/);
  assert.match(decided.html, /A certificate, please\./);
  const [entry] = await readAudit(service.context, { subject: id, limit: 1 });
  assert.deepEqual([entry?.action, entry?.result, entry?.subject], ['state.decided', 'requires_action', `${id}/CA`]);
  assert.match(entry?.actor ?? '', /^operator:opr_/);
  assert.match((await operator.get(`/audit?subject=${id}`)).html, /state\.decided/);
});

test('SSN and answers are shown only with a reason, which the audit trail keeps.', async () => {
  const id = await placeSubmitted(service, '900-44-0004');
  const operator = await signedIn(service, 'Robin', 'file');
  const seen = [await operator.get(`/applications/${id}`), await operator.get(`/applications/${id}/reveal`)];
  seen.push(await operator.post(`/applications/${id}/reveal`, { reason: 'because' }));
  for (const { html } of seen) assert.doesNotMatch(html, /900-44-0004|900440004|Rivera/);
  const before = (await readAudit(service.context, { action: 'application.revealed', limit: 10 })).length;
  assert.equal(before, 0);
  const shown = await operator.post(`/applications/${id}/reveal`, { reason: 'Filing with Texas by hand' });
  assert.match(shown.html, /900-44-0004/);
  assert.match(shown.html, /Rivera/);
  assert.equal(shown.headers.get('cache-control'), 'no-store');
  const [entry] = await readAudit(service.context, { action: 'application.revealed', limit: 10 });
  assert.deepEqual([entry?.subject, entry?.note], [id, 'Filing with Texas by hand']);
  assert.doesNotMatch(service.logged.join(''), /900-?44-?0004/);
});

test('An operator with a password from the command line must replace it first.', async () => {
  const made = await createOperator(service.context, { name: 'New', role: 'file', hasTotp: false });
  const visitor = createOperatorVisitor(service.consoleUrl);
  const first = await visitor.signIn('New', made?.password);
  assert.equal(first.path, '/password');
  assert.equal((await visitor.get('/applications')).path, '/password');
  const current = made?.password ?? '';
  const short = await visitor.post('/password', { current, replacement: 'short', again: 'short' });
  assert.match(short.html, /at least 12/);
  const replacement = 'quite a long sentence';
  const changed = await visitor.post('/password', { current, replacement, again: replacement });
  assert.deepEqual([changed.status, changed.heading], [200, 'Home']);
  assert.equal((await createOperatorVisitor(service.consoleUrl).signIn('New', current)).status, 422);
});

test('Dead-lettered webhooks are replayed one by one, or all of an application.', async () => {
  const { context } = service;
  const [first, second] = [
    await createApplication(service, { webhookUrl: 'http://127.0.0.1:9/a' }),
    await createApplication(service, { webhookUrl: 'http://127.0.0.1:9/b' }),
  ];
  for (const id of [first, second]) await submitApplication(service, id, '0004');
  await context.db.updateTable('webhookEvent').set({ deadAt: new Date() }).execute();
  const deadOf = (id: string) =>
    context.db
      .selectFrom('webhookEvent')
      .select('id')
      .where('applicationId', '=', id)
      .where('deadAt', 'is not', null)
      .execute();
  const [letter] = await deadOf(second);
  const operator = await signedIn(service, 'Sam', 'file');
  assert.match((await operator.get('/webhooks')).html, /Replay all of this application/);
  assert.match((await operator.post('/webhooks/replay', { application: first })).html, /will be sent again/);
  assert.deepEqual([await deadOf(first), await deadOf(second)], [[], [letter]]);
  await operator.post('/webhooks/replay', { event: letter?.id ?? '' });
  assert.deepEqual(await deadOf(second), []);
  assert.equal((await operator.post('/webhooks/replay', { event: letter?.id ?? '' })).status, 409);
});

/**
 * A paid application. Its payment counts as captured, like those of a version that charged at once.
 */
async function paid(): Promise<{ id: string; cents: number }> {
  const id = await placeSubmitted(service);
  const { db } = service.context;
  const { amountCents: cents } = await db
    .updateTable('payment')
    .set({ status: 'captured' })
    .where('applicationId', '=', id)
    .returning('amountCents')
    .executeTakeFirstOrThrow();
  return { id, cents };
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

test('A refund is entered once, with a reason, and never for more than was captured.', async () => {
  const { id, cents } = await paid();
  const kim = await signedIn(service, 'Kim', 'file');
  assert.match((await kim.get('/payments')).html, new RegExp(`/applications/${id}/refund`));
  const path = `/applications/${id}/refund`;
  const refund = /name="refund" value="([^"]+)"/.exec((await kim.get(path)).html)?.[1] ?? '';
  const reason = 'The department returned it';
  for (const amount of ['', '0', '-1', '1e3', '1.5', 'ten', dollars(cents + 1)])
    assert.equal((await kim.post(path, { refund, amount, reason })).status, 422, amount);
  assert.equal((await kim.post(path, { refund, amount: '1.00', reason: 'no' })).status, 422);
  assert.equal((await kim.post(path, { refund: 'ref_x', amount: '1.00', reason })).status, 422);
  const done = await kim.post(path, { refund, amount: '1.00', reason });
  assert.match(done.html, /The refund was saved/);
  await kim.post(path, { refund, amount: '1.00', reason });
  const rows = await service.context.db.selectFrom('paymentRefund').selectAll().execute();
  assert.deepEqual(
    rows.map(({ id: own, amountCents: amount }) => [own, amount]),
    [[refund, 100]],
  );
  const [entry] = await readAudit(service.context, { action: 'payment.refund_requested', limit: 1 });
  assert.deepEqual([entry?.subject, entry?.note], [`${id}/${refund}`, reason]);
});

test('The role view sees payments and no link to refund them.', async () => {
  const { id } = await paid();
  const list = await (await signedIn(service, 'Viewer', 'view')).get('/payments');
  assert.match(list.html, new RegExp(id));
  assert.doesNotMatch(list.html, /\/refund"/);
});

/** A submitted live application with a document, which waits for its filing in Texas. */
async function placeFiling(): Promise<string> {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  // Test numbers are refused in live mode.
  const ssn = '219-46-0004';
  await placeAt(service, session, 'disclosures', { ssn });
  await addDocuments(session.applicationUrl, ['other']);
  await placeAt(service, session, 'receipt', { ssn });
  return session.applicationId;
}

test('A document is listed without its name, and only the role file downloads it and the package of its filing.', async () => {
  const id = await placeFiling();
  const [page, filing] = [`/applications/${id}`, `/filings/${id}/TX`];
  const readsOf = async (action: 'document.read' | 'filing.package_read') =>
    (await readAudit(service.context, { subject: id, action, limit: 10 })).map(({ actor }) => actor.slice(0, 9));
  const filer = await signedIn(service, 'Filer', 'file');
  const { html } = await filer.get(page);
  assert.match(html, /1\. PDF/);
  assert.doesNotMatch(html, /papers\.pdf/);
  const [document = ''] = new RegExp(`${page}/documents/doc_[\\w-]+`).exec(html) ?? [];
  for (const [from, to, type, name] of [
    [page, document, 'application/pdf', 'document.pdf'],
    [filing, `${filing}/package.pdf`, 'application/pdf', 'package.pdf'],
    [filing, `${filing}/package.zip`, 'application/zip', 'package.zip'],
  ] as const) {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await filer.get(from)).html)?.[1] ?? '';
    const { status, headers } = await filer.send(to, { method: 'POST', body: new URLSearchParams({ csrf }) });
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')],
      [200, type, `attachment; filename="${name}"`, 'no-store'],
    );
  }
  const other = await service.createSession({ states: ['TX'] });
  assert.equal((await filer.post(document.replace(id, other.applicationId))).status, 404);
  for (const missing of [`${id}/CA`, `${id}/XX`, 'app_none/TX'])
    assert.equal((await filer.post(`/filings/${missing}/package.pdf`)).status, 404, missing);

  const viewer = await signedIn(service, 'Lee', 'view');
  const seen = await viewer.get(page);
  assert.match(seen.html, /1\. PDF/);
  assert.doesNotMatch(seen.html, /Download|papers\.pdf/);
  assert.doesNotMatch((await viewer.get(filing)).html, /Download|Claim|Rivera|219-?46-?0004/);
  // Every route of the role is tried in `attacks.full.test.ts`, but with a document that exists.
  assert.equal((await viewer.post(document)).status, 403);
  assert.deepEqual(await readsOf('document.read'), ['operator:']);
  assert.deepEqual(await readsOf('filing.package_read'), ['operator:', 'operator:']);
  assert.doesNotMatch(service.logged.join(''), /papers\.pdf|219-?46-?0004/);
});
