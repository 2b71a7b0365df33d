import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { signedIn, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

const document = Buffer.from('%PDF-1.7\nwombat\n%%EOF\n');
let service: ConsoleService;
let applicationId: string;
let filer: OperatorVisitor;
let viewer: OperatorVisitor;
before(async () => {
  service = await startConsole();
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  applicationId = session.applicationId;
  const { applicationUrl } = session;
  const visitor = createVisitor();
  // Test numbers are refused in live mode.
  const identity = { ssn: '219-46-0004' };
  await walkTo(visitor, { applicationUrl, states: ['TX'] }, 'review', { identity });
  const body = new FormData();
  body.append('file', new Blob([document]), 'court order.pdf');
  await fetch(`${applicationUrl}/background/documents`, { method: 'POST', body });
  const receipt = await visitor.post(`${applicationUrl}/review`, typed.review);
  assert.ok(receipt.url.endsWith('/receipt'), receipt.html);
  filer = await signedIn(service, 'Filer', 'file');
  viewer = await signedIn(service, 'Viewer', 'view');
});
after(() => service.stop());

/** Posts the form whose action is a path, as its button does. */
async function press(visitor: OperatorVisitor, page: string, to: string) {
  const { html } = await visitor.get(page);
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  assert.ok(html.includes(`action="${to}"`), html);
  const answer = await visitor.send(to, { method: 'POST', body: new URLSearchParams({ csrf }) });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The number of audit entries of an action on the application. */
async function countAudit(action: 'filing.package_read' | 'document.read'): Promise<number> {
  const rows = await service.context.db
    .selectFrom('audit_entry')
    .select('actor')
    .where('action', '=', action)
    .where('subject', 'like', `${applicationId}/%`)
    .execute();
  assert.ok(rows.every(({ actor }) => actor.startsWith('operator:')));
  return rows.length;
}

function assertDownload({ status, headers }: Response, type: string, name: string): void {
  assert.deepEqual(
    [status, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')],
    [200, type, `attachment; filename="${name}"`, 'no-store'],
  );
}

test('A document is listed without its name, downloaded by the role file, and recorded.', async () => {
  const page = `/applications/${applicationId}`;
  const { html } = await filer.get(page);
  assert.match(html, /1\. PDF/);
  assert.doesNotMatch(html, /court order/);
  const [to = ''] = new RegExp(`${page}/documents/doc_[\\w-]+`).exec(html) ?? [];
  const before = await countAudit('document.read');
  const { answer, bytes } = await press(filer, page, to);
  assertDownload(answer, 'application/pdf', 'document.pdf');
  assert.deepEqual(bytes, document);
  assert.equal(await countAudit('document.read'), before + 1);

  const other = await service.createSession({ states: ['TX'] });
  const elsewhere = to.replace(applicationId, other.applicationId);
  assert.equal((await filer.post(elsewhere)).status, 404);
  assert.equal(await countAudit('document.read'), before + 1);
});

test('The role view sees that documents exist and downloads nothing.', async () => {
  const { html } = await filer.get(`/applications/${applicationId}`);
  const [document = ''] = /\/applications\/[\w-]+\/documents\/doc_[\w-]+/.exec(html) ?? [];
  const recorded = [await countAudit('filing.package_read'), await countAudit('document.read')];
  const page = await viewer.get(`/applications/${applicationId}`);
  assert.match(page.html, /1\. PDF/);
  assert.doesNotMatch(page.html, /Download|court order/);
  const filing = `/filings/${applicationId}/TX`;
  assert.doesNotMatch((await viewer.get(filing)).html, /Download|Claim|Rivera|219-?46-?0004/);
  // Every route of the role is tried in `attacks.test.ts`, but with a document that exists.
  assert.equal((await viewer.post(document)).status, 403);
  assert.deepEqual([await countAudit('filing.package_read'), await countAudit('document.read')], recorded);
});

test('A package that does not exist is not found.', async () => {
  for (const filing of [`${applicationId}/CA`, `${applicationId}/XX`, 'app_none/TX'])
    for (const to of ['package.pdf', 'package.zip'])
      assert.equal((await filer.post(`/filings/${filing}/${to}`)).status, 404, filing);
});
