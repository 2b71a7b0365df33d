import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Application, PartnerSession } from '../../../src/contract/index.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import { type Correction, correctDecision } from '../../../src/bridge/domain/filings/correct-decision.js';
import { type Decision, decideState } from '../../../src/bridge/domain/filings/departments.js';
import { listFilings, markFiled } from '../../../src/bridge/domain/filings/filings.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import { eraseEnded } from '../../../src/bridge/domain/retention/retention.js';
import { noFacts, reduce } from '../../../src/element/store/reducer.js';
import { snapshotOf } from '../../../src/element/store/selectors.js';
import { createBridgeClient, createLicensingHandler } from '../../../src/server/index.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor } from '../apply/support/visitor.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService } from '../console/support.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');
const actor = 'cli:tester';
const note = 'It was the decision of another application.';
const license = { licenseNumber: 'TX-1234567', issuedOn: '2026-01-02', expiresOn: '2028-01-31', lines: ['life'] };

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_SECRET_KEY: secretKey } });
});
after(() => service.stop());

const decide = (applicationId: string, own: Partial<Decision>) =>
  decideState(service.context, { applicationId, state: 'TX', status: 'approved', actor, ...own });
const correct = (applicationId: string, own: Partial<Correction> = {}) =>
  correctDecision(service.context, { applicationId, state: 'TX', status: 'pending_review', note, actor, ...own });

/** A live application that Texas has decided. */
async function decided({ reference = 'TX-1', ...own }: Partial<Decision> & { reference?: string } = {}) {
  const request = { states: ['TX' as const], paymentMethod: 'partner_billing' as const };
  const session = await service.createSession(request, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });
  const { applicationId } = session;
  const { context } = service;
  if (reference !== '') await markFiled(context, { applicationId, state: 'TX', reference, actor });
  await decide(applicationId, own);
  return session;
}

async function stateOf(applicationId: string) {
  const { body } = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
  const state = (body as Application).states[0];
  ok(state);
  return state;
}

const filingOf = async (applicationId: string) =>
  (await listFilings(service.context, { scope: 'all', applicationId, limit: 1 }))[0];

test('The console takes a wrong approval back: the license goes, the filing is with the state again, and both entries of the audit trail are linked.', async () => {
  const { applicationId, applicationUrl } = await decided(license);
  const wrong = await stateOf(applicationId);
  const dana = await signedIn(service, 'Dana', 'file');
  const path = `/applications/${applicationId}/states/TX/correction`;
  match((await dana.get(`/applications/${applicationId}`)).html, new RegExp(`href="${path}"`));
  const page = await dana.get(path);
  match(page.html, /TX-1234567/);
  match(page.html, /A correction moves no money/);
  const without = await dana.post(path, { status: 'pending_review' });
  deepEqual([without.status, (await stateOf(applicationId)).status], [422, 'approved']);
  match(without.html, /Write what the mistake was/);
  equal((await dana.post(path, { note, status: 'approved' })).status, 422);
  const saved = await dana.post(path, { note, status: 'pending_review' });
  match(saved.html, /The decision was corrected/);
  match(saved.html, new RegExp(note));

  const { updatedAt, ...state } = await stateOf(applicationId);
  deepEqual(state, { state: 'TX', status: 'pending_review' });
  ok(updatedAt > wrong.updatedAt);
  const filing = await filingOf(applicationId);
  deepEqual([filing?.status, filing?.reference], ['filed', 'TX-1']);
  ok(!(await createVisitor().get(`${applicationUrl}/receipt`)).html.includes('TX-1234567'));
  const sections = (await readPackage(service.context, { applicationId, state: 'TX', actor }))?.sections;
  ok(!sections?.some(({ title }) => title === 'License issued'));
  const entries = await service.context.db
    .selectFrom('auditEntry')
    .select(['id', 'action', 'result', 'note'])
    .where('subject', '=', `${applicationId}/TX`)
    .where('action', 'like', 'state.%')
    .orderBy('id')
    .execute();
  deepEqual(
    entries.map(({ id: _, ...entry }) => entry),
    [
      { action: 'state.decided', result: 'approved', note: null },
      { action: 'state.corrected', result: `pending_review, corrects approved of entry ${entries[0]?.id}`, note },
    ],
  );
  match((await dana.get(`/audit?subject=${applicationId}`)).html, new RegExp(`Entry ${entries[0]?.id}<`));

  // The right decision is entered as any other.
  await decide(applicationId, { status: 'denied', reason: 'Not eligible' });
  equal((await stateOf(applicationId)).status, 'denied');
});

test('A decision is corrected to the other one by the rules of a decision, with its own license.', async () => {
  const { applicationId } = await decided({ reference: '', status: 'denied', override: 'Said by phone' });
  await rejects(correct(applicationId, { status: 'approved', ...license }), { failure: 'invalid_transition' });
  await rejects(correct(applicationId, { status: 'denied' }), { failure: 'invalid_transition' });
  await rejects(correct(applicationId, { status: 'requires_action' }), { failure: 'invalid_transition' });
  await rejects(correct(applicationId, { note: ' short ' }), { failure: 'invalid_request' });
  await rejects(correct(applicationId, { ...license }), { failure: 'invalid_request' });
  await rejects(correct('app_unknown'), { failure: 'unknown_application' });
  equal((await stateOf(applicationId)).status, 'denied');
  await correct(applicationId, { status: 'approved', override: 'Said in writing', ...license });
  const { updatedAt: _, ...state } = await stateOf(applicationId);
  deepEqual(state, { state: 'TX', status: 'approved', ...license });
  equal((await filingOf(applicationId))?.status, 'answered');
  const sameAgain = { status: 'approved', override: 'Said in writing' } as const;
  await rejects(correct(applicationId, { ...sameAgain, ...license }), { failure: 'invalid_request' });
  await rejects(correct(applicationId, sameAgain), { failure: 'invalid_request' });
  // Not filed: it waits in the queue again.
  await correct(applicationId);
  equal((await filingOf(applicationId))?.status, 'waiting');
});

test('A mistyped license number is corrected in one step, and the partner is notified of the right one.', async () => {
  const { applicationId } = await decided(license);
  const operator = await signedIn(service, 'Robin', 'file');
  const path = `/applications/${applicationId}/states/TX/correction`;
  match((await operator.get(path)).html, /Approved\. The license is another one, as below\./);
  const lines = Object.fromEntries(license.lines.map((line) => [`line-${line}`, 'yes']));
  const typed = (licenseNumber: string) => {
    const { issuedOn, expiresOn } = license;
    return { note, status: 'approved', licenseNumber, issuedOn, expiresOn, ...lines };
  };
  const same = await operator.post(path, typed(license.licenseNumber));
  deepEqual([same.status, same.html.includes('This one is recorded already')], [422, true]);
  match((await operator.post(path, typed('TX-7654321'))).html, /The decision was corrected/);
  const { updatedAt: _, ...state } = await stateOf(applicationId);
  deepEqual(state, { state: 'TX', status: 'approved', ...license, licenseNumber: 'TX-7654321' });
  equal((await filingOf(applicationId))?.status, 'answered');
});

test('A correction moves no money, neither of fees that were captured nor of those that are reserved.', async () => {
  for (const [status, from, to] of [
    ['captured', 'approved', 'denied'],
    ['captured', 'approved', 'pending_review'],
    ['authorized', 'denied', 'approved'],
    ['voided', 'denied', 'pending_review'],
  ] as const) {
    const { applicationId } = await decided({ status: from });
    const now = service.context.clock();
    const payment = { id: `pay_${applicationId}`, applicationId, status, amountCents: 1_000, createdAt: now };
    await service.context.db
      .insertInto('payment')
      .values({ ...payment, cardLast4: '', reference: null, updatedAt: now })
      .execute();
    await correct(applicationId, { status: to, reason: 'A reason' });
    const stored = service.context.db.selectFrom('payment').select('status').where('applicationId', '=', applicationId);
    equal((await stored.executeTakeFirst())?.status, status);
  }
});

test('The data of a user is kept when a decision is corrected, and the time until the erasure starts again.', async () => {
  const day = 24 * 3_600_000;
  const at = (days: number) => ({ ...service.context, clock: () => new Date(Date.now() + days * day) });
  const about = async (days: number) => {
    const { applicationId } = await decided();
    const correction = { applicationId, state: 'TX', status: 'denied', reason: 'No', note, actor } as const;
    await correctDecision(at(days), correction);
    return applicationId;
  };
  const erasedAtOf = async (id: string) => {
    const row = service.context.db.selectFrom('application').select('erasedAt').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).erasedAt;
  };
  const [early, late] = [await about(5), await about(60)];
  const { applicationId: reopened } = await decided();
  await correct(reopened);
  await eraseEnded(at(100), 90);
  ok(await erasedAtOf(early));
  deepEqual([await erasedAtOf(late), await erasedAtOf(reopened)], [null, null]);
});

test('A decision of test mode stays, and the API and the test helpers correct none.', async () => {
  const id = await placeSubmitted(service);
  const path = `/v1/test_helpers/applications/${id}/states/TX`;
  await decideState(service.context, { applicationId: id, state: 'TX', status: 'denied' });
  await rejects(correct(id), { failure: 'invalid_transition', details: /test mode/ });
  const { status, body } = await service.call('POST', path, { body: { status: 'pending_review' } });
  deepEqual([status, body.code], [400, 40008]);
  const dana = await signedIn(service, 'Dana Test', 'file');
  equal((await dana.get(`/applications/${id}/states/TX/correction`)).status, 404);
  ok(!(await dana.get(`/applications/${id}`)).html.includes('/correction'));

  const live = await decided();
  await rejects(decide(live.applicationId, { status: 'pending_review' }), { failure: 'invalid_transition' });
});

test('An operator who only views corrects nothing.', async () => {
  const { applicationId } = await decided();
  const vera = await signedIn(service, 'Vera', 'view');
  const path = `/applications/${applicationId}/states/TX/correction`;
  ok(!(await vera.get(`/applications/${applicationId}`)).html.includes('/correction'));
  equal((await vera.get(path)).status, 403);
  equal((await vera.post(path, { status: 'pending_review', note })).status, 403);
  equal((await stateOf(applicationId)).status, 'approved');
});

test('The command line corrects a decision only with a note.', async () => {
  const { applicationId } = await decided();
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
  const run = (...more: string[]) =>
    runCli(['application', 'correct', '--id', applicationId, '--state', 'TX', ...more], variables, {
      out: () => undefined,
      err: () => undefined,
    });
  equal(await run('--status', 'pending_review'), 2);
  equal(await run('--status', 'requires_action', '--note', note), 2);
  equal((await stateOf(applicationId)).status, 'approved');
  equal(await run('--status', 'denied', '--note', note, '--reason', 'Not eligible'), 0);
  const { status, reason } = await stateOf(applicationId);
  deepEqual([status, reason], ['denied', 'Not eligible']);
});

test("A correction in the console reaches the partner's listeners and the card on the partner's page.", async () => {
  const heard: string[] = [];
  const { clientId, liveClientSecret } = service.credential;
  const bridge = createBridgeClient({ baseUrl: service.bridgeUrl, clientId, clientSecret: liveClientSecret });
  const publicUrl = 'https://agency.example/licensing';
  const handler = createLicensingHandler({
    secret: 'a-secret-of-the-partner-0123456789abcdef',
    publicUrl,
    bridge,
    identify: () => ({ userId: 'usr_corrected', profile: { firstName: 'Ana', lastName: 'Rivera' } }),
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX'],
      paymentMethod: 'partner_billing',
      returnUrl: 'https://agency.example/done',
    }),
    log: () => undefined,
    on: { status: ({ state, status }) => void heard.push(`${state} ${status}`) },
    reconcileMinutes: 0,
  });
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ reason: 'open', returnState: 'abcdefghijklmnopqrstuvwx' });
  const begun = await handler(new Request(`${publicUrl}/sessions`, { method: 'POST', headers, body }));
  const session = (await begun.json()) as PartnerSession & { applicationId: string };
  const { applicationId } = session;
  await placeAt(service, session, 'receipt', { ssn: '234-56-7891' });

  let sent = 0;
  let facts = noFacts;
  /** Sends the webhooks that the bridge has written since, and reads the status as the page does. */
  async function cardAfterWebhooks() {
    const events = await service.context.db
      .selectFrom('webhookEvent')
      .innerJoin('webhookStream', 'webhookStream.streamId', 'webhookEvent.streamId')
      .select(['webhookStream.url', 'id', 'type', 'data', 'createdAt'])
      .where('webhookEvent.streamId', '=', applicationId)
      .orderBy('seq')
      .execute();
    for (const { url, ...event } of events.slice(sent)) {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
      equal((await handler(new Request(url, request))).status, 204, event.type);
    }
    sent = events.length;
    const application = (await (
      await handler(new Request(`${publicUrl}/applications/${applicationId}`))
    ).json()) as Application;
    facts = reduce(facts, { source: 'server', application });
    return snapshotOf(facts, applicationId).states.map(({ state, status }) => `${state} ${status}`);
  }

  await decide(applicationId, { override: 'Said by phone' });
  deepEqual(await cardAfterWebhooks(), ['TX approved']);
  const dana = await signedIn(service, 'Dana Corrects', 'file');
  await dana.get(`/applications/${applicationId}/states/TX/correction`);
  await dana.post(`/applications/${applicationId}/states/TX/correction`, { note, status: 'pending_review' });
  deepEqual(await cardAfterWebhooks(), ['TX pending_review']);
  await decide(applicationId, { status: 'denied', reason: 'Not eligible', override: 'Said in writing' });
  deepEqual(await cardAfterWebhooks(), ['TX denied']);
  deepEqual(heard, ['TX approved', 'TX pending_review', 'TX denied']);
  await handler.close();
});
