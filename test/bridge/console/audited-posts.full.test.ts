import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { consoleRoutes } from '../../../src/bridge/console/index.js';
import { type AuditAction, readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { offerTotp } from '../../../src/bridge/domain/operators/enrolment.js';
import { findSignedIn } from '../../../src/bridge/domain/operators/sign-in.js';
import { createApplication, submitApplication } from '../applications.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import { operatorPassword } from './operator-rows.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService, type OperatorVisitor } from './support.js';

/** What each post of the console leaves in the audit trail. */
const audits: Record<string, AuditAction | AuditAction[]> = {
  '/filings/:id/:state/claim': 'filing.claimed',
  '/filings/:id/:state/package.pdf': 'filing.package_read',
  '/filings/:id/:state/package.zip': 'filing.package_read',
  '/filings/:id/:state/fields': 'filing.package_read',
  '/filings/:id/:state/claim-and-fields': ['filing.claimed', 'filing.package_read'],
  '/filings/:id/:state/reference': 'filing.reference_corrected',
  '/filings/:id/:state/release': 'filing.released',
  '/filings/:id/:state/release-claim': 'filing.released',
  '/filings/:id/:state/filed': 'filing.filed',
  '/filings/:id/:state/waits': 'filing.held',
  '/applications/:id/documents/:document': 'document.read',
  '/applications/:id/reveal': 'application.revealed',
  '/applications/:id/notes': 'note.added',
  '/templates': 'template.added',
  '/templates/:id/remove': 'template.removed',
  '/applications/:id/states/:state': 'state.decided',
  '/applications/:id/states/:state/correction': 'correction.proposed',
  '/applications/:id/states/:state/correction/withdraw': 'correction.withdrawn',
  '/applications/:id/states/:state/correction/confirm': 'state.corrected',
  '/applications/:id/refund': 'refund.proposed',
  '/applications/:id/refund/withdraw': 'refund.withdrawn',
  '/applications/:id/refund/confirm': 'payment.refund_requested',
  '/webhooks/replay': 'webhook.replayed',
  '/search': 'application.searched',
  '/filings/claim': 'filing.claimed',
  '/filings/assign': 'filing.assigned',
  '/filings/list.csv': 'filing.list_exported',
  '/password': 'operator.password_changed',
  '/authenticator': 'operator.totp_changed',
  '/sign-out': 'operator.sign_out',
  '/sign-in': 'operator.sign_in',
};

/** They change nothing. The return from the identity provider is audited: see `oidc.full.test.ts`. */
const leadingToProvider = ['/proof/oidc', '/sign-in/oidc'];

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_SECOND_PERSON: 'corrections,refunds' } });
});
after(() => service.stop());

/** The entries of operators, newest first. The jobs of the service write theirs at any time. */
const entriesOfOperators = () => readAudit(service.context, { scope: 'all', actor: 'operator:', limit: 1_000 });

/** Opens a page and posts one of its forms. Resolves with the entries that it left. */
async function post(visitor: OperatorVisitor, to: string, fields: Record<string, string> = {}, page = to) {
  const { html } = await visitor.get(page);
  const refund = /name="refund" value="([^"]+)"/.exec(html)?.[1];
  const last = (await entriesOfOperators())[0]?.id ?? 0;
  const { status, heading } = await visitor.post(to, { ...fields, ...(refund && { refund }) });
  assert.equal(status, 200, `${to}: ${heading}`);
  return (await entriesOfOperators()).flatMap(({ id, action }) => (id > last ? [action] : []));
}

/** A live application that waits for its filing in Texas, with a document. */
async function placeFiling(): Promise<{ id: string; document: string }> {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'disclosures', { ssn: '219-46-0004' });
  await addDocuments(session.applicationUrl, ['other']);
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  const { id: document } = await service.context.db
    .selectFrom('document')
    .select('id')
    .where('applicationId', '=', session.applicationId)
    .executeTakeFirstOrThrow();
  return { id: session.applicationId, document };
}

async function placePaid(): Promise<string> {
  const id = await placeSubmitted(service);
  const paid = service.context.db.updateTable('payment').set({ status: 'captured' });
  await paid.where('applicationId', '=', id).execute();
  return id;
}

async function placeDeadLetter(): Promise<string> {
  const id = await createApplication(service, { webhookUrl: 'http://127.0.0.1:9/' });
  await submitApplication(service, id, '0004');
  const dead = service.context.db.updateTable('webhookEvent').set({ deadAt: new Date(), deliveredAt: null });
  await dead.where('streamId', '=', id).execute();
  return id;
}

test('Every post of the console leaves its audit entry.', async () => {
  const [{ id, document }, paidId, replayed] = [await placeFiling(), await placePaid(), await placeDeadLetter()];
  const [dana, robin] = [await signedIn(service, 'Dana', 'file'), await signedIn(service, 'Robin', 'file')];
  const ruth = await signedIn(service, 'Ruth', 'supervise');
  const reason = 'The department asked for it';
  const [filing, state, refund] = [
    `/filings/${id}/TX`,
    `/applications/${id}/states/TX`,
    `/applications/${paidId}/refund`,
  ];
  const correction = { status: 'pending_review', note: 'The wrong state was chosen' };

  const written: Record<string, string[]> = {};
  const see = async (route: string, ...posted: Parameters<typeof post>) => (written[route] = await post(...posted));
  await see('/filings/:id/:state/claim', dana, `${filing}/claim`, {}, filing);
  await see('/filings/:id/:state/claim-and-fields', dana, `${filing}/claim-and-fields`, {}, filing);
  await see('/filings/:id/:state/package.pdf', dana, `${filing}/package.pdf`, {}, filing);
  await see('/filings/:id/:state/package.zip', dana, `${filing}/package.zip`, {}, filing);
  await see('/filings/:id/:state/fields', dana, `${filing}/fields`, {}, filing);
  await see('/applications/:id/documents/:document', dana, `/applications/${id}/documents/${document}`, {}, filing);
  await see('/filings/:id/:state/release', dana, `${filing}/release`, {}, filing);
  await post(dana, `${filing}/claim`, {}, filing);
  await see('/filings/:id/:state/release-claim', ruth, `${filing}/release-claim`, { reason });
  const chosen = { filing: `${id}/TX` };
  await see('/filings/claim', dana, '/filings/claim', chosen, '/filings');
  const [, colleague = ''] = /<option value="(opr_[^"]+)">Dana</.exec((await ruth.get('/filings')).html) ?? [];
  await see('/filings/assign', ruth, '/filings/assign', { ...chosen, colleague }, '/filings');
  await see('/filings/list.csv', dana, '/filings/list.csv', {}, '/filings');
  await see('/filings/:id/:state/filed', dana, `${filing}/filed`, { reference: 'TX-1' }, filing);
  const corrected = { from: 'TX-1', reference: 'TX-2' };
  await see('/filings/:id/:state/reference', dana, `${filing}/reference`, corrected, filing);
  await see('/filings/:id/:state/waits', dana, `${filing}/waits`, { waitsFor: 'fingerprints' }, filing);
  await see('/applications/:id/reveal', dana, `/applications/${id}/reveal`, { reason });
  await see('/applications/:id/notes', dana, `/applications/${id}/notes`, { note: 'Called.' }, `/applications/${id}`);
  const template = { name: 'Letter', status: 'denied', reason: 'The letter is missing.' };
  await see('/templates', ruth, '/templates', template);
  const [, removal = ''] = /action="(\/templates\/[^"]+\/remove)"/.exec((await ruth.get('/templates')).html) ?? [];
  await see('/templates/:id/remove', ruth, removal, {}, '/templates');
  await see('/applications/:id/states/:state', dana, state, { status: 'denied', reason });
  await see('/applications/:id/states/:state/correction', dana, `${state}/correction`, correction);
  const page = `${state}/correction`;
  await see('/applications/:id/states/:state/correction/withdraw', dana, `${page}/withdraw`, {}, page);
  await post(dana, page, correction);
  await see('/applications/:id/states/:state/correction/confirm', robin, `${page}/confirm`, {}, page);
  const amount = { amount: '1.00', reason };
  await see('/applications/:id/refund', dana, refund, amount);
  await see('/applications/:id/refund/withdraw', dana, `${refund}/withdraw`, {}, refund);
  await post(dana, refund, amount);
  await see('/applications/:id/refund/confirm', robin, `${refund}/confirm`, {}, refund);
  await see('/webhooks/replay', dana, '/webhooks/replay', { application: replayed }, '/webhooks');
  await see('/search', dana, '/search', { search: 'Rivera' }, '/');
  const replacement = 'another sentence';
  await see('/password', dana, '/password', { current: operatorPassword, replacement, again: replacement });
  const [, offer = ''] = /name="offer" value="([^"]+)"/.exec((await robin.get('/authenticator')).html) ?? [];
  const { operator } = (await findSignedIn(service.context, robin.cookies.get('console') ?? '')) ?? assert.fail();
  const { secret } = offerTotp(service.context, operator, offer);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await see('/authenticator', robin, '/authenticator', { offer, code });
  await see('/sign-out', dana, '/sign-out', {}, '/');
  await see('/sign-in', dana, '/sign-in', { name: 'Dana', password: replacement });

  for (const [route, action] of Object.entries(audits)) {
    assert.deepEqual([...new Set(written[route])].sort(), [action].flat(), route);
  }
  const posts = consoleRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path);
  assert.deepEqual([...Object.keys(audits), ...leadingToProvider].sort(), posts.toSorted());
});
