import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadShippedCatalogue } from '../../../src/bridge/catalogue/shipped.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import {
  activateAgency,
  createAgency,
  createWebhookSecret,
  deactivateAgency,
  endWebhookSecret,
  updateAccount,
  updateAgency,
} from '../../../src/bridge/domain/accounts/agency.js';
import { replaceCredential, resetCredential } from '../../../src/bridge/domain/accounts/credential.js';
import { identifyCaller, login } from '../../../src/bridge/domain/accounts/login.js';
import { correctDecision } from '../../../src/bridge/domain/filings/correct-decision.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { showOwnAnswers } from '../../../src/bridge/domain/applications/own-answers.js';
import { auditActions, readAudit, type AuditAction, type AuditEntry } from '../../../src/bridge/domain/audit/audit.js';
import { storeCatalogue } from '../../../src/bridge/domain/catalogue/catalogues.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { enterKeys, forgetOldKeys } from '../../../src/bridge/domain/keys/secret-keys.js';
import { startBulkOnboarding } from '../../../src/bridge/domain/producers/bulk-onboarding.js';
import { onboardProducer } from '../../../src/bridge/domain/producers/onboard-producer.js';
import { subscribe, unsubscribe } from '../../../src/bridge/domain/producers/subscriptions.js';
import {
  assignTerritory,
  importTerritories,
  unassignTerritory,
} from '../../../src/bridge/domain/producers/territories.js';
import { eraseEnded } from '../../../src/bridge/domain/retention/retention.js';
import { renewLinks } from '../../../src/bridge/key-rotation/key-use.js';
import { reEncrypt } from '../../../src/bridge/key-rotation/re-encrypt.js';
import { writeRecords } from '../../../src/bridge/registry/apply-records.js';
import { importFile } from '../../../src/bridge/registry/import-file.js';
import { seedRegistry } from '../../../src/bridge/registry/seed-registry.js';
import { readDocument } from '../../../src/bridge/domain/documents/documents.js';
import { exportFilings } from '../../../src/bridge/domain/filings/export-list.js';
import {
  assignFiling,
  claimFiling,
  correctReference,
  holdFiling,
  markFiled,
  releaseFiling,
} from '../../../src/bridge/domain/filings/filings.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import {
  changeRole,
  changeScope,
  createOperator,
  disableOperator,
  resetOperator,
} from '../../../src/bridge/domain/operators/operators.js';
import { revealApplication } from '../../../src/bridge/domain/applications/reveal.js';
import { recordSearch } from '../../../src/bridge/domain/applications/search.js';
import {
  changePassword,
  findSignedIn,
  reauthenticate,
  signIn,
  signOut,
} from '../../../src/bridge/domain/operators/sign-in.js';
import { addNote } from '../../../src/bridge/domain/applications/notes.js';
import { addTemplate, listTemplates, removeTemplate } from '../../../src/bridge/domain/filings/templates.js';
import { propose, withdraw } from '../../../src/bridge/domain/second-person/proposals.js';
import { refundPayment } from '../../../src/bridge/domain/payments/operations.js';
import { runPaymentJob } from '../../../src/bridge/domain/payments/run-job.js';
import { recordOutcome } from '../../../src/bridge/domain/payments/settle.js';
import { revokeLinks } from '../../../src/bridge/domain/sessions/revoke-links.js';
import { withRequestId } from '../../../src/bridge/domain/request-id.js';
import { replayDeadLetter } from '../../../src/bridge/domain/webhooks/dead-letters.js';
import { findAuditEntries, findEntriesOf, insertAuditEntries } from '../../../src/bridge/store/audit/audit-store.js';
import { insertFilings } from '../../../src/bridge/store/filings/filing-store.js';
import type { PaymentStatus } from '../../../src/bridge/store/tables/payment-tables.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { eraseUser, exportUser, setHold, type UserRequest } from '../../../src/bridge/domain/retention/user-data.js';
import { createApplication, submitApplication } from '../applications.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt, tokenOf } from '../apply/support/shortcuts.js';
import { operatorPassword, placeOperator, placeSession } from '../console/operator-rows.js';

let bridge: ApplyService;
const secretKey = Buffer.alloc(32, 5).toString('base64');
const ssn = '900123456';
const sample = sampleProducer('12345', { ssn });
before(async () => {
  bridge = await startApplyService({ environment: { BRIDGE_SECRET_KEY: secretKey } });
  await addProducers(bridge.context, 'test', [sample]);
});
after(() => bridge.stop());

/** The values of an entry that a test can know. */
type Known = Pick<AuditEntry, 'agencyId' | 'mode' | 'actor' | 'subject' | 'result' | 'note'>;

const known = ({ agencyId, mode, actor, subject, result, note }: AuditEntry): Known => ({
  agencyId,
  mode,
  actor,
  subject,
  result,
  note,
});

function lookUp(token: string, number: string) {
  const body = { lastName: sample.biographic.lastName, ssn: number };
  return bridge.call('POST', '/v1/account/producer/npn-lookup', { token, body });
}

/**
 * Everything that the actions are about, and for each action a function that does it. It resolves
 * with the values of the entry that differ from `{mode: 'test', note: '', result: 'done'}`.
 */
async function setupActions(): Promise<
  Record<Exclude<AuditAction, 'database.migrated'>, () => Promise<Partial<Known>>>
> {
  const { agencyId } = bridge;
  const actor = 'cli:tester';
  const context = { ...bridge.context, actor } as const;
  const { db, clock } = context;
  const now = clock();
  const agency = await bridge.addAgency();
  const app = await createApplication(bridge, { states: ['TX', 'CA'] });
  await submitApplication(bridge, app, '0004');
  await db.transaction().execute((trx) => insertFilings(trx, { applicationId: app, states: ['TX', 'CA'], now }));
  const operator = await placeOperator(context, 'Dana');
  const owner = { ...agency, mode: 'live' as const };
  const ofApp = (subject: string, more: Partial<Known> = {}) => ({ agencyId, subject: `${app}/${subject}`, ...more });
  const ofAgency = { agencyId: agency.agencyId, actor, mode: '' as const, subject: agency.agencyId };
  const ofConsole = (id: string, actedBy: Known['actor'] = actor) =>
    ({ agencyId: '', mode: '', actor: actedBy, subject: `operator:${id}` }) as const;
  const requester = { agencyId, mode: 'test', credentialId: bridge.credential.id } as const;
  const ofRequester = (subject: string, result: string) =>
    ({ agencyId, actor: `credential:${bridge.credential.id}`, subject, result }) as const;
  const territories = await importTerritories(context, agencyId, [{ name: 'West', states: [] }]);
  const territoryId = territories?.[0]?.id ?? '';
  const ofNone = (subject: string) => ({ agencyId: '', mode: '' as Known['mode'], actor, subject });
  const filing = { applicationId: app, state: 'TX' as const, actor: `operator:${operator.id}` as const };
  const colleague = 'operator:opr_colleague' as const;
  const signedIn = async () =>
    (await findSignedIn(context, await placeSession(context, operator.id))) ?? assert.fail('not signed in');

  const done = () => Promise.resolve({ status: 'done' as const });
  const processor = { ...(context.processorFor('test') ?? assert.fail()), capture: done, void: done, refund: done };
  const paying = { ...context, processorFor: () => processor };
  const placePayment = async (applicationId: string, status: PaymentStatus) => {
    const id = `pay_${randomUUID()}`;
    const times = { createdAt: now, updatedAt: now, authorizedAt: now };
    const row = { id, applicationId, amountCents: 5_560, status, cardLast4: '', reference: null };
    await db
      .insertInto('payment')
      .values({ ...row, ...times, problem: null })
      .execute();
    return id;
  };
  const capturing = await placePayment(app, 'capturing');
  const other = await createApplication(bridge);
  const decided = { agencyId, actor } as const;
  const proposals = async (kind: 'correction' | 'refund', isWithdrawn: boolean) => {
    const key = { applicationId: app, kind, state: kind === 'correction' ? 'CA' : '' } as const;
    const note = 'A reason';
    const content =
      kind === 'correction'
        ? { status: 'denied', note, reason: '', override: '', license: {} }
        : { refundId: 'ref_9', amountCents: 100, note };
    if (isWithdrawn) await withdraw(context, key, actor);
    else await propose(context, { ...key, content } as Parameters<typeof propose>[1], actor, () => Promise.resolve());
    const [subject, result] = kind === 'correction' ? [`${app}/CA`, 'denied'] : [`${app}/ref_9`, '100'];
    return { ...decided, subject, result, note };
  };
  const ofBridge = (id: string, payment: string) => ({ agencyId, actor: 'bridge', subject: `${id}/${payment}` });

  const ofUser = <Action extends AuditAction>(
    action: Action,
    work: (all: typeof context, request: UserRequest) => Promise<unknown>,
    result: string,
  ) => {
    const run = async () => {
      const userId = `usr_${randomUUID()}`;
      await createApplication(bridge, { userId });
      const request = { agencyId, mode: 'test', userId, actor, reason: 'A reason' } as const;
      if (action === 'user.hold_ended') await setHold(context, request, true);
      await work(context, request);
      return { agencyId, subject: userId, actor, result, note: 'A reason' };
    };
    return { [action]: run } as Record<Action, typeof run>;
  };

  return {
    'ssn.look_up': async () => {
      await lookUp(bridge.tokens.test, ssn);
      return { agencyId, actor: `credential:${bridge.credential.id}`, subject: 'npn:12345', result: 'hit' };
    },
    'answers.shown': async () => {
      const session = await bridge.createSession();
      await placeAt(bridge, session, 'review');
      await showOwnAnswers(context, tokenOf(session.applicationUrl), '0004');
      return { agencyId, actor: 'user', subject: session.applicationId, result: 'shown' };
    },
    'credential.issued': async () => ({
      ...ofAgency,
      subject: (await replaceCredential(context, agency.agencyId))?.id ?? '',
    }),
    'credential.reset': async () => {
      const { credential, tokens, ...own } = await bridge.addAgency();
      const caller = (await identifyCaller(context, tokens.live, 'test')) ?? assert.fail();
      await resetCredential(context, caller);
      return { ...own, mode: '', actor: `credential:${credential.id}`, subject: credential.id };
    },
    'account.updated': async () => {
      const whole = { ...requester, tokenHash: Buffer.alloc(32), isDeactivated: false };
      await updateAccount(context, whole, { businessEmail: 'a@b.example', webhookUrl: 'https://hooks.example/secret' });
      return ofRequester(agencyId, 'businessEmail, webhookUrl');
    },
    'producer.onboarded': async () => {
      await onboardProducer(context, requester, { npn: '12345', onboardType: 'subscribe' });
      return ofRequester('npn:12345', 'subscribe');
    },
    'bulk.started': async () => {
      const { id } = await startBulkOnboarding(context, requester, { npn: ['12345', '2'], onboardType: 'lookup' });
      return ofRequester(id, 'lookup 2');
    },
    'subscription.added': async () => {
      await subscribe(context, requester, ['12345']);
      return ofRequester('npn:12345', '1');
    },
    'subscription.removed': async () => {
      await unsubscribe(context, requester, ['12345', '2']);
      return ofRequester('npn:12345', '1');
    },
    'territory.assigned': async () => {
      await assignTerritory(context, requester, '12345', territoryId);
      return ofRequester(`npn:12345/${territoryId}`, 'done');
    },
    'territory.unassigned': async () => {
      await unassignTerritory(context, requester, '12345', territoryId);
      return ofRequester(`npn:12345/${territoryId}`, 'done');
    },
    'agency.created': async () => {
      const created = await createAgency(context, 'New');
      return { ...ofAgency, agencyId: created.agencyId, subject: created.agencyId };
    },
    'agency.updated': () => updateAgency(context, agency.agencyId, { name: 'Other' }).then(() => ofAgency),
    'agency.deactivated': () => deactivateAgency(context, agency.agencyId).then(() => ofAgency),
    'agency.activated': () => activateAgency(context, agency.agencyId).then(() => ofAgency),
    'webhook_secret.created': () =>
      createWebhookSecret(context, owner).then(() => ({ ...ofAgency, mode: 'live' as const })),
    'webhook_secret.ended': () => endWebhookSecret(context, owner).then(() => ({ ...ofAgency, mode: 'live' as const })),
    'payment.authorized': async () => {
      const id = await placePayment(other, 'pending');
      await recordOutcome(context, id, { status: 'authorized', reference: 'r', cardLast4: '4242' });
      return ofBridge(other, id);
    },
    'payment.captured': () =>
      runPaymentJob(paying, { kind: 'capture', paymentId: capturing }).then(() => ofBridge(app, capturing)),
    'payment.voided': async () => {
      const id = await createApplication(bridge);
      const payment = await placePayment(id, 'voiding');
      await runPaymentJob(paying, { kind: 'void', paymentId: payment });
      return ofBridge(id, payment);
    },
    'payment.refund_requested': async () => {
      const { actor } = filing;
      await refundPayment(context, { applicationId: app, amountCents: 100, actor, note: 'Why', refundId: 'ref_1' });
      return ofApp('ref_1', { actor, result: '100', note: 'Why' });
    },
    'payment.refunded': () =>
      runPaymentJob(paying, { kind: 'refund', paymentId: capturing, refundId: 'ref_1' }).then(() =>
        ofBridge(app, capturing),
      ),
    'state.decided': async () => {
      await decideState(context, { applicationId: app, state: 'CA', status: 'denied', actor });
      return ofApp('CA', { actor, result: 'denied' });
    },
    'state.overridden': async () => {
      const live = { token: bridge.tokens.live, paymentMethod: 'partner_billing' as const };
      const id = await createApplication(bridge, live);
      await submitApplication(bridge, id, '0004');
      const decision = { applicationId: id, state: 'TX', status: 'approved', actor } as const;
      await decideState(context, { ...decision, override: 'A reason' });
      return { ...decided, subject: `${id}/TX`, mode: 'live', result: 'approved', note: 'A reason' };
    },
    'state.corrected': async () => {
      const id = await createApplication(bridge, { token: bridge.tokens.live, paymentMethod: 'partner_billing' });
      await submitApplication(bridge, id, '0004');
      const about = { applicationId: id, state: 'TX', actor } as const;
      await decideState(context, { ...about, status: 'approved', override: 'A reason' });
      await correctDecision(context, { ...about, status: 'pending_review', note: 'The wrong state.' });
      const [entry] = await readAudit(context, {
        scope: 'all',
        subject: `${id}/TX`,
        action: 'state.decided',
        limit: 1,
      });
      const result = `pending_review, corrects approved of entry ${entry?.id}`;
      return { ...decided, subject: `${id}/TX`, mode: 'live', result, note: 'The wrong state.' };
    },
    'correction.proposed': () => proposals('correction', false),
    'correction.withdrawn': () => proposals('correction', true),
    'refund.proposed': () => proposals('refund', false),
    'refund.withdrawn': () => proposals('refund', true),
    'application.searched': async () => {
      await recordSearch(context, (await signedIn()).operator, 'ana@example.com');
      return { agencyId: '', mode: '' as const, subject: '', actor: filing.actor, result: 'email' };
    },
    'application.revealed': async () => {
      const shown = { operator: (await signedIn()).operator, reason: 'A reason' };
      await revealApplication(context, { applicationId: app, ...shown });
      return { agencyId, subject: app, actor: filing.actor, result: 'shown', note: 'A reason' };
    },
    'template.added': async () => {
      await addTemplate(context, { name: 'Letter', status: 'denied', reason: 'No letter', actor });
      return { ...ofNone('Letter'), actor };
    },
    'template.removed': async () => {
      await addTemplate(context, { name: 'Other letter', status: 'denied', reason: 'No letter', actor });
      const added = (await listTemplates(context)).find(({ name }) => name === 'Other letter');
      await removeTemplate(context, { id: added?.id ?? '', actor });
      return { ...ofNone('Other letter'), actor };
    },
    'note.added': async () => {
      await addNote(context, { applicationId: app, text: 'Called back', actor });
      return { agencyId, subject: app, actor };
    },
    'links.revoked': async () => {
      await revokeLinks(context, { applicationId: app, actor, reason: 'A reason' });
      return { agencyId, subject: app, actor, note: 'A reason' };
    },
    ...ofUser('user.exported', exportUser, '1'),
    ...ofUser('user.erased', eraseUser, '1'),
    ...ofUser('user.held', (all, request) => setHold(all, request, true), 'done'),
    ...ofUser('user.hold_ended', (all, request) => setHold(all, request, false), 'done'),
    'document.read': async () => {
      const encrypted = { nameEncrypted: null, keyEncrypted: null, subjectEncrypted: null };
      const own = { id: 'doc_1', applicationId: app, uploadId: 'u', state: null, serial: null, ...encrypted };
      const row = { type: 'application/pdf' as const, size: 1, isScanned: true, createdAt: now, storedAt: now };
      await db
        .insertInto('document')
        .values({ ...own, ...row, removedAt: null })
        .execute();
      // The entry comes first: this document has no content.
      await assert.rejects(readDocument(context, { documentId: 'doc_1', actor: filing.actor }));
      return ofApp('doc_1', { actor: filing.actor, result: 'shown' });
    },
    'filing.claimed': () => claimFiling(context, filing).then(() => ofApp('TX', { actor: filing.actor })),
    'filing.assigned': async () => {
      await assignFiling(context, { ...filing, colleague });
      return ofApp('TX', { actor: filing.actor, result: colleague });
    },
    'filing.list_exported': async () => {
      const { filings } = await exportFilings(context, (await signedIn()).operator, { scope: 'all' });
      const result = String(filings.length);
      return { agencyId: '', mode: '' as const, subject: '', actor: filing.actor, result };
    },
    'filing.released': () =>
      releaseFiling(context, { ...filing, actor: colleague }).then(() => ofApp('TX', { actor: colleague })),
    'filing.filed': () =>
      markFiled(context, { ...filing, reference: 'TX-1' }).then(() => ofApp('TX', { actor: filing.actor })),
    'filing.reference_corrected': () =>
      correctReference(context, { ...filing, from: 'TX-1', reference: 'TX-2' }).then(() =>
        ofApp('TX', { actor: filing.actor, note: 'TX-1 → TX-2' }),
      ),
    'filing.held': () =>
      holdFiling(context, { ...filing, waitsFor: 'correction' }).then(() =>
        ofApp('TX', { actor: filing.actor, result: 'correction' }),
      ),
    'filing.package_read': async () => {
      await readPackage(context, { ...filing, actor: 'gateway' }).catch(() => undefined);
      return ofApp('TX', { actor: 'gateway', result: 'shown' });
    },
    'webhook.replayed': async () => {
      const id = await createApplication(bridge, { webhookUrl: 'http://127.0.0.1:9/' });
      await submitApplication(bridge, id, '0004');
      const { id: event } = await db
        .updateTable('webhookEvent')
        .set({ deadAt: now })
        .where('streamId', '=', id)
        .returning('id')
        .executeTakeFirstOrThrow();
      await replayDeadLetter(context, 'all', event, actor);
      return { agencyId, actor, subject: `${id}/${event}` };
    },
    'catalogue.imported': async () => {
      const content = await loadShippedCatalogue();
      const version = '1900.1.0';
      await storeCatalogue(context, { ...content, release: { ...content.release, version } }, { source: 'test' });
      return ofNone(version);
    },
    'territory.imported': async () => {
      const [territory] = (await importTerritories(context, agency.agencyId, [{ name: 'South', states: [] }])) ?? [];
      return { ...ofAgency, subject: territory?.id ?? '', result: 'created' };
    },
    'registry.generated': async () => {
      await seedRegistry(context, { mode: 'test', count: 2, seed: 7, at: now });
      return { ...ofNone('seed:7'), mode: 'test', result: '2' };
    },
    'registry.imported': async () => {
      const path = join(tmpdir(), `${randomUUID()}.ndjson`);
      await writeRecords(path, { count: 3, seed: 8 });
      const digest = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      await importFile(context, { path, mode: 'test', at: now });
      await rm(path);
      return { ...ofNone(`sha256:${digest}`), mode: 'test', result: '3' };
    },
    'application.erased': async () => {
      const id = await createApplication(bridge);
      const expiresAt = new Date(now.getTime() - 400 * 24 * 3_600_000);
      await db.updateTable('application').set({ expiresAt }).where('id', '=', id).execute();
      await eraseEnded(context, 365);
      return { agencyId, actor, subject: id };
    },
    'keys.entered': async () => {
      const keys = createKeys([randomBytes(32)]);
      await enterKeys({ ...context, keys }, true);
      return { ...ofNone(`key:${keys.of('live').newestId.toString('hex')}`), result: 'trusted' };
    },
    'keys.forgotten': async () => {
      await forgetOldKeys(context);
      return { ...ofNone(`key:${context.keys.of('live').newestId.toString('hex')}`), result: '1' };
    },
    'keys.re_encrypted': async () => {
      await reEncrypt(context);
      return { ...ofNone(`key:${context.keys.of('live').newestId.toString('hex')}`), result: '0' };
    },
    'links.renewed': async () => {
      await renewLinks(context);
      return { ...ofNone('links'), result: '0' };
    },
    'operator.created': async () => {
      const access = await createOperator(context, { scope: 'all', name: 'Kim', role: 'view', hasTotp: false });
      return ofConsole(access?.operator.operatorId ?? '');
    },
    'operator.disabled': async () =>
      ofConsole((await disableOperator(context, 'Kim'))?.operatorId ?? assert.fail('no operator')),
    'operator.reset': async () => {
      const access = await resetOperator(context, 'Kim', { totp: 'keep', enable: false });
      return ofConsole(access?.operator.operatorId ?? '');
    },
    'operator.enabled': async () => {
      const access = await resetOperator(context, 'Kim', { totp: 'keep', enable: true });
      return ofConsole(access?.operator.operatorId ?? '');
    },
    'operator.totp_changed': async () => {
      const access = await resetOperator(context, 'Kim', { totp: 'replace', enable: false });
      return { ...ofConsole(access?.operator.operatorId ?? ''), result: 'replaced' };
    },
    'operator.role_changed': async () => {
      const operator = await changeRole(context, 'Kim', 'file');
      return { ...ofConsole(operator?.operatorId ?? ''), result: 'file' };
    },
    'operator.agencies_changed': async () => {
      const operator = await changeScope(context, 'Kim', { agencyIds: ['agc_a', 'agc_b'] });
      return { ...ofConsole(operator?.operatorId ?? ''), result: 'agc_a,agc_b' };
    },
    'operator.sign_in': async () => {
      await signIn(context, { name: 'Dana', password: operatorPassword, code: '' }, '192.0.2.1');
      return ofConsole(operator.id, filing.actor);
    },
    'operator.emergency_sign_in': async () => {
      const roles = { view: 'view', file: 'file', supervise: 'supervise' };
      const settings = {
        ...context.settings,
        singleSignOn: { rolesClaim: 'roles', roles, agenciesClaim: undefined },
      };
      const request = { name: 'Dana', password: operatorPassword, code: '' };
      await signIn({ ...context, settings }, request, '192.0.2.1');
      return ofConsole(operator.id, filing.actor);
    },
    'operator.sign_out': () =>
      signedIn()
        .then((session) => signOut(context, session))
        .then(() => ofConsole(operator.id, filing.actor)),
    'operator.reauthenticated': async () => {
      await reauthenticate(context, await signedIn(), operatorPassword, '192.0.2.1');
      return ofConsole(operator.id, filing.actor);
    },
    'operator.password_changed': async () => {
      const typed = { current: operatorPassword, replacement: 'another sentence' };
      await changePassword(context, await signedIn(), typed, '192.0.2.1');
      return ofConsole(operator.id, filing.actor);
    },
  };
}

/** They take many transactions, and write an entry at their start and at their end. */
const longActions = ['registry.generated', 'registry.imported', 'keys.re_encrypted', 'links.renewed'];

test('Each action writes one entry with its actor, subject, result and request.', async () => {
  const actions = await setupActions();
  for (const [action, act] of Object.entries(actions)) {
    const written = async () => (await readAudit(bridge.context, { scope: 'all', action, limit: 1_000 })).length;
    const before = await written();
    const entry = await withRequestId(`req_${action}`, act);
    const [newest] = await readAudit(bridge.context, { scope: 'all', action, limit: 1 });
    assert.ok(newest, action);
    assert.deepEqual(known(newest), { mode: 'test', note: '', result: 'done', ...entry }, action);
    if (action !== 'ssn.look_up') assert.equal(newest.requestId, `req_${action}`);
    assert.equal((await written()) - before, longActions.includes(action) ? 2 : 1, action);
  }
  // A migration needs another database: test/bridge/cli/audited.full.test.ts.
  assert.deepEqual([...Object.keys(actions), 'database.migrated'].sort(), Object.keys(auditActions).sort());
});

test('Nothing is recorded when the webhooks of an agency that are not signed stop being signed.', async () => {
  const { context } = bridge;
  const { agencyId } = await createAgency(context, 'Unsigned');
  const owner = { agencyId, mode: 'live' } as const;
  const ended = () => readAudit(context, { scope: 'all', agencyId, action: 'webhook_secret.ended', limit: 9 });
  assert.equal(await endWebhookSecret(context, owner), false);
  assert.deepEqual(await ended(), []);
  await createWebhookSecret(context, owner);
  assert.equal(await endWebhookSecret(context, owner), true);
  assert.equal(await endWebhookSecret(context, owner), false);
  assert.equal((await ended()).length, 1);
});

test('Each look-up by SSN is recorded with its request and its result, and without the name or SSN.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const hit = await lookUp(tokens.test, ssn);
  await lookUp(tokens.test, '900123457');
  const entries = await readAudit(bridge.context, { scope: 'all', agencyId, action: 'ssn.look_up', limit: 100 });
  const own = { agencyId, mode: 'test', actor: `credential:${credential.id}`, note: '' };
  assert.deepEqual(entries.map(known), [
    { ...own, subject: '', result: 'miss' },
    { ...own, subject: 'npn:12345', result: 'hit' },
  ]);
  assert.equal(entries[1]?.requestId, hit.headers.get('x-request-id'));
  assert.doesNotMatch(JSON.stringify(entries), new RegExp(`90012345|${sample.biographic.lastName}`));
});

test('A change whose audit entry cannot be written does not happen.', async () => {
  const { agencyId, tokens, credential } = await bridge.addAgency();
  const { schema } = bridge.context.db;
  await schema.alterTable('auditEntry').renameTo('audit_away').execute();
  try {
    assert.equal((await bridge.call('PATCH', '/v1/account/reset-credential', { token: tokens.live })).status, 500);
    assert.equal((await lookUp(tokens.test, ssn)).status, 500);
    await assert.rejects(deactivateAgency(bridge.context, agencyId));
  } finally {
    await schema.alterTable('audit_away').renameTo('auditEntry').execute();
  }
  // The old secret still works.
  const { clientId, liveClientSecret: clientSecret } = credential;
  assert.match((await login(bridge.context, { clientId, clientSecret }, 'test')).accessToken, /./);
});

test('The audit trail is read by agency, time, actor, action, subject and page, newest first.', async () => {
  const { db } = bridge.context;
  const at = (hour: number) => new Date(Date.UTC(2020, 0, 1, hour));
  const place = (hour: number, agencyId: string, actor: string, action: string, subject: string) =>
    insertAuditEntries(db, [
      { at: at(hour), agencyId, mode: null, actor, action, subject, requestId: null, result: 'r' },
    ]);
  await place(1, 'agc_a', 'cli:ann', 'a.one', 'app_x');
  await place(2, 'agc_a', 'cli:bo/ann', 'a.two', 'app_x/TX');
  await place(3, 'agc_b', 'operator:opr_1', 'a.one', 'app_x_y');
  await place(4, 'agc_b', 'unknown', 'a.one', 'app_x0');
  const until = at(5);
  const read = async (where: Partial<Parameters<typeof findAuditEntries>[1]>, limit = 10) =>
    (await findAuditEntries(db, { scope: 'all', until, ...where, limit })).map((row) => row.at.getUTCHours());
  assert.deepEqual(await read({}), [4, 3, 2, 1]);
  assert.deepEqual(await read({}, 2), [4, 3]);
  assert.deepEqual(await read({ agencyId: 'agc_a' }), [2, 1]);
  assert.deepEqual(await read({ scope: { agencyIds: ['agc_a'] } }), [2, 1]);
  assert.deepEqual(await read({ scope: { agencyIds: ['agc_a'] }, agencyId: 'agc_b' }), []);
  assert.deepEqual(await read({ scope: { agencyIds: [] } }), []);
  assert.deepEqual(await read({ since: at(2), until: at(4) }), [3, 2]);
  assert.deepEqual(await read({ actor: 'unknown' }), [4]);
  assert.deepEqual(await read({ actor: 'cli:' }), [2, 1]);
  assert.deepEqual(await read({ action: 'a.two' }), [2]);
  assert.deepEqual(await read({ subject: 'app_x' }), [2, 1]);
  const [newest] = await findEntriesOf(db, 'app_x', 1);
  assert.equal(newest?.action, 'a.two');
  assert.deepEqual(await read({ beforeId: newest.id }), [1]);
});

test('"audit list" prints the newest entries first, of one agency and since a given time.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  await lookUp(tokens.test, ssn);
  const list = async (...words: string[]) => {
    let [out, err] = ['', ''];
    const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await runCli(['audit', 'list', ...words], variables, output);
    return { code, out, err };
  };
  const entries = JSON.parse((await list('--agency', agencyId, '--json')).out) as AuditEntry[];
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['ssn.look_up', 'credential.issued', 'agency.created'],
  );
  assert.match(
    (await list('--agency', agencyId)).out,
    /^\d{4}-.*Z {2}agc_\S+ {2}test {2}credential:crd_\S+ {2}ssn\.look_up {2}npn:12345 {2}hit {2}req_/,
  );
  const later = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal((await list('--since', later)).out, 'None.\n');
});
