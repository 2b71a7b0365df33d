import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApplication, submitApplication } from '../applications.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import {
  createOperatorVisitor,
  signedIn,
  startConsole,
  placeSubmitted,
  type ConsoleService,
  type OperatorVisitor,
} from './support.js';
import { createOperator } from '../../../src/bridge/domain/operators/operators.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { AdapterError } from '../../../src/bridge/ports/adapter-error.js';
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
  const [entry] = await readAudit(service.context, { scope: 'all', subject: id, limit: 1 });
  assert.deepEqual([entry?.action, entry?.result, entry?.subject], ['state.decided', 'requires_action', `${id}/CA`]);
  assert.match(entry?.actor ?? '', /^operator:opr_/);
  assert.match((await operator.get(`/audit?subject=${id}`)).html, /state\.decided/);
});

test('SSN and answers are shown only with a reason, which the audit trail keeps.', async () => {
  const id = await placeSubmitted(service, '900-44-0004');
  const operator = await signedIn(service, 'Robin', 'file');
  const seen = [await operator.get(`/applications/${id}`), await operator.get(`/applications/${id}/reveal`)];
  seen.push(await operator.post(`/applications/${id}/reveal`, { reason: 'because' }));
  for (const { html } of seen) assert.doesNotMatch(html, /900-44-0004|900440004|Elm Street/);
  const before = (await readAudit(service.context, { scope: 'all', action: 'application.revealed', limit: 10 })).length;
  assert.equal(before, 0);
  const shown = await operator.post(`/applications/${id}/reveal`, { reason: 'Filing with Texas by hand' });
  assert.match(shown.html, /900-44-0004/);
  assert.match(shown.html, /Elm Street/);
  assert.equal(shown.headers.get('cache-control'), 'no-store');
  const [entry] = await readAudit(service.context, { scope: 'all', action: 'application.revealed', limit: 10 });
  assert.deepEqual([entry?.subject, entry?.note], [id, 'Filing with Texas by hand']);
  assert.doesNotMatch(service.logged.join(''), /900-?44-?0004/);
});

test('An operator with a password from the command line must replace it first.', async () => {
  const made = await createOperator(service.context, { scope: 'all', name: 'New', role: 'file', hasTotp: false });
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
      .where('streamId', '=', id)
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
  const [entry] = await readAudit(service.context, { scope: 'all', action: 'payment.refund_requested', limit: 1 });
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

/** Posts without following, for downloads. */
async function download(visitor: OperatorVisitor, path: string, fields: Record<string, string> = {}) {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.get('/')).html)?.[1] ?? '';
  return visitor.send(path, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
}

/** The entries of downloads: action, the kind of the actor, and the reason. */
async function readsOf(id: string) {
  const entries = await Promise.all(
    (['document.read', 'filing.package_read'] as const).map((action) =>
      readAudit(service.context, { scope: 'all', subject: id, action, limit: 10 }),
    ),
  );
  return entries.flat().map(({ action, actor, note }) => [action, actor.slice(0, 9), note]);
}

/** The downloads of a filing, by the kinds of file. */
async function downloadsOf(visitor: OperatorVisitor, id: string) {
  const [page, filing] = [`/applications/${id}`, `/filings/${id}/TX`];
  const { html } = await visitor.get(page);
  assert.match(html, /1\. PDF/);
  assert.doesNotMatch(html, /papers\.pdf/);
  const [document = ''] = new RegExp(`${page}/documents/doc_[\\w-]+`).exec(html) ?? [];
  const shape = '[2-9A-Z]{4}-[2-9A-Z]{4}';
  return [
    [document, 'application/pdf', new RegExp(`^attachment; filename="Rivera-Ana-${shape}-document-1\\.pdf"$`)],
    [`${filing}/package.pdf`, 'application/pdf', new RegExp(`^attachment; filename="TX-Rivera-Ana-${shape}\\.pdf"$`)],
    [`${filing}/package.zip`, 'application/zip', new RegExp(`^attachment; filename="TX-Rivera-Ana-${shape}\\.zip"$`)],
  ] as const;
}

function assertDownload({ status, headers }: Response, type: string, name: RegExp, path: string): void {
  assert.deepEqual([status, headers.get('content-type'), headers.get('cache-control')], [200, type, 'no-store'], path);
  assert.match(headers.get('content-disposition') ?? '', name, path);
}

test('The operator who has claimed a filing downloads its package and documents, which are listed without a name.', async () => {
  const id = await placeFiling();
  const filer = await signedIn(service, 'Filer', 'file');
  const filing = await filer.get(`/filings/${id}/TX`);
  assert.match(filing.html, /Open for a reason/);
  const claimed = await filer.post(`/filings/${id}/TX/claim`);
  assert.doesNotMatch(claimed.html, /for a reason/);
  for (const [path, type, name] of await downloadsOf(filer, id)) {
    assertDownload(await download(filer, path), type, name, path);
  }
  const [[document]] = await downloadsOf(filer, id);
  const other = await service.createSession({ states: ['TX'] });
  assert.equal((await filer.post(document.replace(id, other.applicationId))).status, 404);
  for (const missing of [`${id}/CA`, `${id}/XX`, 'app_none/TX'])
    assert.equal((await filer.post(`/filings/${missing}/package.pdf`)).status, 404, missing);
  const read = (action: string) => [action, 'operator:', ''];
  assert.deepEqual(await readsOf(id), ['document.read', 'filing.package_read', 'filing.package_read'].map(read));
  assert.doesNotMatch(service.logged.join(''), /papers\.pdf|219-?46-?0004/);
});

test('While the storage of documents does not answer, a download says so and when to come back.', async (t) => {
  const id = await placeFiling();
  const filer = await signedIn(service, 'Filer without storage', 'file');
  await filer.get(`/filings/${id}/TX`);
  await filer.post(`/filings/${id}/TX/claim`);
  const [[document]] = await downloadsOf(filer, id);
  t.mock.method(service.context.documents.storage, 'get', () =>
    Promise.reject(new AdapterError('documentStorage', 'get', 'unknown')),
  );
  const answer = await download(filer, document);
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5']);
  assert.match(await answer.text(), /A service that the bridge uses did not answer/);
});

test('Any other operator who files downloads them for a reason only, which the audit trail keeps, and the role view never.', async () => {
  const id = await placeFiling();
  const [owner, colleague] = [await signedIn(service, 'Owner', 'file'), await signedIn(service, 'Colleague', 'file')];
  await owner.get(`/filings/${id}/TX`);
  await owner.post(`/filings/${id}/TX/claim`);
  const reason = 'Texas asked about this filing';
  for (const [path, type, name] of await downloadsOf(colleague, id)) {
    const form = await colleague.get(path.replace(/\.(pdf|zip)$/, ''));
    assert.match(form.html, /Why do you need it\?/);
    for (const given of ['', 'because'] as const) {
      const refused = await colleague.post(path, { reason: given });
      assert.equal(refused.status, 422, path);
      assert.match(refused.html, /Write a reason/);
      assert.doesNotMatch(refused.html, /papers\.pdf|Rivera|219-?46-?0004/);
    }
    assertDownload(await download(colleague, path, { reason }), type, name, path);
  }
  const read = (action: string) => [action, 'operator:', reason];
  assert.deepEqual(await readsOf(id), ['document.read', 'filing.package_read', 'filing.package_read'].map(read));

  const viewer = await signedIn(service, 'Lee', 'view');
  const seen = await viewer.get(`/applications/${id}`);
  assert.match(seen.html, /1\. PDF/);
  assert.doesNotMatch(seen.html, /Download|papers\.pdf/);
  assert.doesNotMatch((await viewer.get(`/filings/${id}/TX`)).html, /Download|Claim it|Rivera|219-?46-?0004/);
  // Every route of the role is tried in `attacks.full.test.ts`, but with a document that exists.
  const [[document]] = await downloadsOf(owner, id);
  assert.equal((await viewer.post(document, { reason })).status, 403);
});

test('A supervisor has every link and every form of the role file.', async () => {
  const id = await placeFiling();
  const { id: paidId } = await paid();
  const [filer, supervisor] = [await signedIn(service, 'Fay', 'file'), await signedIn(service, 'Sue', 'supervise')];
  const state = {
    applicationId: id,
    state: 'TX',
    status: 'denied',
    override: 'A reason',
    actor: 'cli:tester',
  } as const;
  await decideState(service.context, { ...state, reason: 'Not eligible.' });
  const pages = ['', '/states/TX', '/states/TX/correction', '/reveal'].map((page) => `/applications/${id}${page}`);
  for (const path of [...pages, `/applications/${paidId}`, '/payments', '/webhooks', `/filings/${id}/TX`]) {
    const linksOf = async (visitor: OperatorVisitor) =>
      [...(await visitor.get(path)).html.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(await linksOf(supervisor), await linksOf(filer), path);
  }
});

test('An operator returns their own claim, and only a supervisor that of a colleague, for a reason that is recorded.', async () => {
  const id = await placeFiling();
  const path = `/filings/${id}/TX`;
  const [owner, colleague] = [await signedIn(service, 'Ines', 'file'), await signedIn(service, 'Omar', 'file')];
  const supervisor = await signedIn(service, 'Ruth', 'supervise');
  const claim = async () => {
    await owner.get(path);
    await owner.post(`${path}/claim`);
  };
  const statusOf = async () => /Claimed|Waiting/.exec((await owner.get(path)).html)?.[0];
  await claim();
  for (const visitor of [colleague, supervisor]) {
    assert.doesNotMatch((await visitor.get(path)).html, /Return to the queue/);
    assert.equal((await visitor.post(`${path}/release`)).status, 409);
  }
  assert.doesNotMatch((await colleague.get(path)).html, /End a colleague/);
  assert.equal(await statusOf(), 'Claimed');
  await owner.post(`${path}/release`);
  assert.equal(await statusOf(), 'Waiting');

  await claim();
  assert.match((await supervisor.get(path)).html, /release-claim/);
  assert.match((await supervisor.get(`${path}/release-claim`)).html, /Ines has claimed this filing/);
  assert.equal((await supervisor.post(`${path}/release-claim`, { reason: 'ill' })).status, 422);
  assert.equal(await statusOf(), 'Claimed');
  const reason = 'Ines is on leave until Monday';
  const done = await supervisor.post(`${path}/release-claim`, { reason });
  assert.match(done.html, /The filing was returned to the queue/);
  assert.equal(await statusOf(), 'Waiting');
  const entries = await readAudit(service.context, {
    scope: 'all',
    action: 'filing.released',
    subject: `${id}/TX`,
    limit: 10,
  });
  assert.deepEqual(
    entries.map(({ note }) => note),
    [reason, ''],
  );
  assert.equal((await supervisor.get(`${path}/release-claim`)).path, path);
});
