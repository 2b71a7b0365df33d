import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { consoleRoutes } from '../../../src/bridge/console/index.js';
import type { ConsoleRoute } from '../../../src/bridge/console/context.js';
import { changeScope } from '../../../src/bridge/domain/operators/operators.js';
import type { Scope } from '../../../src/bridge/store/scope.js';
import { createApplication, submitApplication } from '../applications.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import { placeOperator, placeSession } from './operator-rows.js';
import {
  createOperatorVisitor,
  placeSubmitted,
  signedIn,
  startConsole,
  type ConsoleService,
  type OperatorVisitor,
} from './support.js';

/** The data of another agency: something for every route. */
interface Others {
  /** In live mode: its filing in Texas waits, and the decision of California is to be corrected. */
  filed: string;
  document: string;
  /** With a payment that is to be refunded. */
  paid: string;
  /** With a webhook that was not delivered. */
  dead: string;
  event: string;
}

const npn = '12345678';
const receiptNumber = 'WXYZ-2345';

let service: ConsoleService;
/** The agency of the limited operator, and an application of it. */
let own: { scope: Scope; id: string };
let others: Others;
/** A supervisor of the one agency, and one of all. */
let limited: OperatorVisitor;
let unlimited: OperatorVisitor;
/** A supervisor of all agencies, to whom the limited one cannot give a filing of the others. */
let supervisorId: string;
/** The lists and other pages without an application, before and after the other agency had data. */
let earlier: Record<'limited' | 'unlimited', Pages>;
let later: typeof earlier;

/** The texts of pages, by path. */
type Pages = Record<string, string>;

before(async () => {
  service = await startConsole({ environment: { BRIDGE_SECOND_PERSON: 'corrections,refunds' } });
  const { agencyId, tokens } = await service.addAgency('Own Agency');
  own = { scope: { agencyIds: [agencyId] }, id: await createApplication(service, { token: tokens.test }) };
  limited = await signedIn(service, 'Limited', 'supervise', own.scope);
  unlimited = await signedIn(service, 'Unlimited', 'supervise');
  ({ id: supervisorId } = await placeOperator(service.context, 'Of all', { role: 'supervise' }));
  earlier = await readPages();
  others = await placeOthers();
  later = await readPages();
});
after(() => service.stop());

async function placeOthers(): Promise<Others> {
  const { db } = service.context;
  await placeOperator(service.context, 'Colleague of others', { scope: { agencyIds: [service.agencyId] } });
  const request = { states: ['TX' as const, 'CA' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'disclosures', { ssn: '219-46-0004' });
  await addDocuments(session.applicationUrl, ['other']);
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  const filed = session.applicationId;
  const ofFiled = db.updateTable('applicationState').set({ status: 'denied' }).where('state', '=', 'CA');
  await ofFiled.where('applicationId', '=', filed).execute();
  await db.updateTable('application').set({ receiptNumber }).where('id', '=', filed).execute();
  await sql`update applicant set profile = profile || ${JSON.stringify({ npn })}::jsonb
    where agency_id = ${service.agencyId}`.execute(db);
  const { id: document } = await db
    .selectFrom('document')
    .select('id')
    .where('applicationId', '=', filed)
    .executeTakeFirstOrThrow();
  const paid = await placeSubmitted(service);
  await db.updateTable('payment').set({ status: 'captured' }).where('applicationId', '=', paid).execute();
  const dead = await createApplication(service, { webhookUrl: 'http://127.0.0.1:9/' });
  await submitApplication(service, dead, '0004');
  // Only counted: not submitted.
  await createApplication(service);
  const events = db.updateTable('webhookEvent').set({ deadAt: new Date(), deliveredAt: null });
  const [event] = await events.where('streamId', '=', dead).returning('id').execute();
  const proposal = { proposedBy: 'operator:opr_x', proposedAt: new Date() };
  const refund = { refundId: 'ref_x', amountCents: 100, note: 'Paid twice' };
  const correction = { status: 'pending_review', note: 'A mistake', reason: '', override: '', license: {} };
  await db
    .insertInto('proposal')
    .values([
      { ...proposal, applicationId: paid, kind: 'refund', state: '', content: JSON.stringify(refund) },
      { ...proposal, applicationId: filed, kind: 'correction', state: 'CA', content: JSON.stringify(correction) },
    ])
    .execute();
  return { filed, document, paid, dead, event: event?.id ?? assert.fail('no event') };
}

const isOfApplication = ({ path }: Pick<ConsoleRoute, 'path'>) => path.includes('/:id');
const pagePaths = consoleRoutes
  .filter((route) => route.method === 'GET' && route.access !== 'anyone' && !isOfApplication(route))
  .map(({ path }) => path);

async function readPages(): Promise<typeof earlier> {
  const read = async (visitor: OperatorVisitor) => {
    const pages: Pages = {};
    // A new page offers a new secret of an app.
    for (const path of pagePaths.filter((each) => each !== '/authenticator')) {
      pages[path] = (await visitor.get(path)).html;
    }
    return pages;
  };
  return { limited: await read(limited), unlimited: await read(unlimited) };
}

/** A path of a route, about an application of the other agency, or one that does not exist. */
function fill(path: string, { isUnknown = false } = {}): string {
  const id = path.includes('/refund') ? others.paid : others.filed;
  const filled = path
    .replace(':id', isUnknown ? 'app_unknown' : id)
    .replace(':state', path.includes('/correction') ? 'CA' : 'TX')
    .replace(':document', others.document);
  assert.doesNotMatch(filled, /:/, 'This test has no value for a parameter of a new route.');
  return filled;
}

/** All fields that forms of the console send. */
const fields = () => ({
  reason: 'The department asked for it',
  note: 'The wrong state was chosen',
  status: 'pending_review',
  reference: 'TX-1',
  amount: '1.00',
  refund: `ref_${'x'.repeat(22)}`,
  event: others.event,
  filing: `${others.filed}/TX`,
  colleague: supervisorId,
});

const idsOfOthers = () => Object.values<string>({ ...others });

/** A digest of what belongs to the other agency. */
async function digestOfOthers(): Promise<unknown> {
  const ids = [others.filed, others.paid, others.dead];
  const digest = async (table: string, column: string, values: readonly string[]) =>
    sql`select md5(string_agg(t::text, '|' order by t::text)) as digest, count(*) from ${sql.table(table)} as t
      where ${sql.ref(column)} = any(${[...values]}::text[])`.execute(service.context.db);
  const tables = ['application_state', 'filing', 'payment', 'proposal', 'document'];
  const found = await Promise.all(tables.map((table) => digest(table, 'application_id', ids)));
  found.push(await digest('webhook_event', 'stream_id', ids));
  found.push(await digest('audit_entry', 'agency_id', [service.agencyId]));
  found.push(await digest('payment_refund', 'payment_id', await paymentsOf(others.paid)));
  return found.map(({ rows }) => rows);
}

async function paymentsOf(applicationId: string): Promise<string[]> {
  const rows = await service.context.db
    .selectFrom('payment')
    .select('id')
    .where('applicationId', '=', applicationId)
    .execute();
  return rows.map(({ id }) => id);
}

describe('an operator who is limited to agencies', () => {
  it('A limited operator can neither find nor change an application of another agency by any route.', async () => {
    const before = await digestOfOthers();
    const { id } = await placeOperator(service.context, 'Attacker', { role: 'supervise', scope: own.scope });
    for (const route of consoleRoutes.filter(({ access }) => access !== 'anyone')) {
      const { method, path } = route;
      const visitor = createOperatorVisitor(service.consoleUrl);
      visitor.cookies.set('console', await placeSession(service.context, id));
      await visitor.get('/');
      const ask = (to: string) => (method === 'GET' ? visitor.get(to) : visitor.post(to, fields()));
      const answer = await ask(fill(path));
      for (const other of idsOfOthers()) assert.doesNotMatch(answer.html, new RegExp(other), path);
      if (!isOfApplication(route)) continue;
      assert.deepEqual([answer.status, answer.heading], [404, 'Not found'], `${method} ${path}`);
      assert.equal(answer.html, (await ask(fill(path, { isUnknown: true }))).html, `${method} ${path}`);
      const found = method === 'GET' ? (await unlimited.get(fill(path))).status : 200;
      assert.equal(found, 200, `An operator of all agencies finds nothing at ${path}.`);
    }
    const { status, heading } = await limited.post('/webhooks/replay', { application: others.dead });
    assert.deepEqual([status, heading], [409, (await limited.post('/webhooks/replay', { event: 'evt_x' })).heading]);
    assert.deepEqual(await digestOfOthers(), before);
  });

  it('Nothing that another agency has changes a list, a count or a choice of a limited operator.', () => {
    assert.deepEqual(later.limited, earlier.limited);
    for (const path of ['/', '/applications', '/filings', '/payments', '/webhooks', '/audit']) {
      assert.notEqual(later.unlimited[path], earlier.unlimited[path], `${path} of all agencies`);
    }
    assert.match(later.limited['/applications'] ?? '', new RegExp(own.id));
    for (const html of Object.values(later.limited)) assert.doesNotMatch(html, /Example Agency|Colleague of others/);
  });

  it('A limited operator finds nothing of another agency by an id, a receipt, an NPN or a filter.', async () => {
    const keyOf = (html: string) => /<option value="([^"]+)"[^>]*>\s*Example Agency/.exec(html)?.[1] ?? assert.fail();
    const key = keyOf((await unlimited.get('/applications')).html);
    const isShown = (html: string) =>
      idsOfOthers().some((id) => html.includes(`"/applications/${id}"`) || html.includes(`"/filings/${id}/`));
    for (const search of [others.filed, receiptNumber, npn, 'Ana Rivera', 'ana.rivera@example.com', '512-555-0100']) {
      assert.equal(isShown((await unlimited.post('/search', { search })).html), true, `${search} of all agencies`);
      assert.equal(isShown((await limited.post('/search', { search })).html), false, search);
    }
    for (const path of [
      `/applications?agency=${key}`,
      '/applications?status=submitted',
      `/audit?subject=${others.paid}`,
      `/audit?agency=${key}`,
      '/filings?state=TX',
    ]) {
      assert.equal(isShown((await unlimited.get(path)).html), true, `${path} of all agencies`);
      assert.equal(isShown((await limited.get(path)).html), false, path);
    }
  });

  it('A limited operator works with an application of their agency, and sees the limit on every page.', async () => {
    const page = await limited.get(`/applications/${own.id}`);
    assert.equal(page.status, 200);
    assert.match(page.html, /Only Own Agency/);
    assert.doesNotMatch((await unlimited.get('/')).html, /Only /);
    const both = await signedIn(service, 'Both', 'view', { agencyIds: [service.agencyId, ...idsOf(own.scope)] });
    for (const id of [own.id, others.filed]) assert.equal((await both.get(`/applications/${id}`)).status, 200);
  });

  it('A change of the agencies ends the sessions of the operator, and the audit trail names them.', async () => {
    const visitor = await signedIn(service, 'Moved', 'file');
    await changeScope(service.context, 'Moved', own.scope);
    assert.equal((await visitor.get('/')).heading, 'Sign in');
    const { html } = await unlimited.get('/audit?action=operator.agencies_changed');
    assert.match(html, />Own Agency</);
    assert.doesNotMatch(html, /agc_/);
  });
});

function idsOf(scope: Scope): readonly string[] {
  return scope === 'all' ? [] : scope.agencyIds;
}
