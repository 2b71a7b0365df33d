import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { countErasable, eraseEnded } from '../../../src/bridge/domain/retention/retention.js';
import { eraseUser, exportUser, setHold } from '../../../src/bridge/domain/retention/user-data.js';
import { findNewestPayment } from '../../../src/bridge/store/payments/payment-store.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { completeAtOnce, placeAt } from '../apply/support/shortcuts.js';
import { addDocuments } from '../apply/support/visitor.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { until } from '../until.js';

const day = 24 * 3_600_000;

describe('The data of one user', () => {
  let service: ApplyService;
  let now = Date.now();
  before(async () => {
    service = await startApplyService({ clock: () => new Date(now) });
  });
  after(() => service.stop());

  const requestOf = (userId: string) =>
    ({ agencyId: service.agencyId, mode: 'test', userId, actor: 'bridge', reason: 'The user asked.' }) as const;

  /** A user whose application of one state is decided. */
  async function createUser(userId = `usr_${randomUUID()}`) {
    const session = await service.createSession({ userId, states: ['TX'] });
    await placeAt(service, session, 'receipt', { ssn: '900-11-0004' });
    await decideState(service.context, { applicationId: session.applicationId, state: 'TX', status: 'approved' });
    // A job takes the money.
    await until(
      () => findNewestPayment(service.context.db, session.applicationId),
      (payment) => payment?.status === 'captured',
    );
    return { userId, ...session };
  }

  /** The actions and results of the audit entries about a user or an application, oldest first. */
  async function auditOf(subject: string) {
    const entries = await readAudit(service.context, { scope: 'all', subject, limit: 50 });
    return entries.map(({ action, result }) => [action, result]).reverse();
  }

  const stepsOf = (applicationId: string) =>
    service.context.db
      .selectFrom('applicationStep')
      .select('step')
      .where('applicationId', '=', applicationId)
      .execute();

  it('An export has everything of all applications of the user, with masked SSNs, and nothing of others.', async () => {
    const { userId, applicationId } = await createUser();
    now += 1_000;
    const second = await service.createSession({ userId, states: ['CA'] });
    await placeAt(service, second, 'background', { ssn: '900-11-0004' });
    const stranger = await createUser();
    const exported = (await exportUser(service.context, requestOf(userId))) ?? { applications: [] };
    const text = JSON.stringify(exported);
    deepEqual(
      exported.applications.map(({ applicationId: id, ssn }) => [id, ssn]),
      [
        [applicationId, '***-**-0004'],
        [second.applicationId, '***-**-0004'],
      ],
    );
    const [first] = exported.applications;
    ok(first);
    deepEqual(first.states, [{ state: 'TX', status: 'approved', reason: undefined }]);
    match(JSON.stringify(first.profile), /12 Elm Street/);
    ok(first.answers.every(({ question, answer }) => question.length > 10 && answer === 'no'));
    equal(first.signature?.signedName, 'Ana Rivera');
    const [payment, ...others] = first.payments;
    deepEqual([others, payment?.status, payment?.refundedCents], [[], 'captured', 0]);
    ok(
      payment && payment.paymentId.startsWith('pay_') && payment.amountCents > 0 && payment.createdAt <= new Date(now),
    );
    ok(!/900-?11-?0004/.test(text));
    ok(!text.includes(stranger.applicationId));
    equal(await exportUser(service.context, requestOf('usr_nobody')), undefined);
    deepEqual(await auditOf(userId), [['user.exported', '2']]);
  });

  it('An export lists documents, mails and the status of each state, and masks no SSN where there is none.', async () => {
    const userId = `usr_${randomUUID()}`;
    const session = await service.createSession({ userId, states: ['TX', 'CA'] });
    const { context } = service;
    await placeAt(service, session, 'disclosures', { ssn: '900-11-0004' });
    await addDocuments(session.applicationUrl, ['courtDocument']);
    for (const step of ['disclosures', 'review', 'payment'] as const)
      ok(await completeAtOnce(session.applicationUrl, step));
    await decideState(context, { applicationId: session.applicationId, state: 'CA', status: 'denied', reason: 'No.' });
    await context.db
      .insertInto('mail')
      .values({
        ...{ purpose: `receipt/${session.applicationId}`, applicationId: session.applicationId, kind: 'receipt' },
        ...{ createdAt: new Date(now), sentAt: null, droppedAt: null, problem: null },
      })
      .execute();
    now += 1_000;
    const untouched = await service.createSession({ userId, states: ['NY'] });
    const { applications = [] } = (await exportUser(context, requestOf(userId))) ?? {};
    const [first, second] = applications;
    equal(second?.applicationId, untouched.applicationId);
    equal(second.ssn, '');
    deepEqual(
      first?.states.map(({ state, status, reason }) => [state, status, reason]),
      [
        ['TX', 'pending_review', undefined],
        ['CA', 'denied', 'No.'],
      ],
    );
    deepEqual(
      first.documents.map(({ name, type }) => [name.length > 0, type]),
      [[true, 'application/pdf']],
    );
    deepEqual(
      first.mails.map(({ kind, sentAt }) => [kind, sentAt]),
      [['receipt', null]],
    );
  });

  it('An erasure leaves nothing that the user typed or the partner synced, ends the links and releases reserved fees.', async () => {
    const { userId, applicationId, applicationUrl } = await createUser();
    const open = await service.createSession({ userId, states: ['CA'] });
    await placeAt(service, open, 'payment', { ssn: '900-11-0004' });
    const paymentId = `pay_${randomUUID()}`;
    const times = { createdAt: new Date(now), updatedAt: new Date(now), authorizedAt: new Date(now) };
    await service.context.db
      .insertInto('payment')
      .values({
        ...{ id: paymentId, applicationId: open.applicationId, amountCents: 100, status: 'authorized', method: 'card' },
        ...{ cardLast4: '4242', reference: 'r', problem: null, ...times },
      })
      .execute();
    const other = await createUser();

    deepEqual(await eraseUser(service.context, requestOf(userId)), { status: 'erased', applications: 2 });
    for (const id of [applicationId, open.applicationId]) deepEqual(await stepsOf(id), []);
    for (const url of [applicationUrl, open.applicationUrl]) {
      const page = await fetch(url, { redirect: 'manual' });
      deepEqual([page.status, /status=expired/.test(page.headers.get('location') ?? '')], [303, true]);
    }
    equal((await findNewestPayment(service.context.db, open.applicationId))?.status, 'voiding');
    const left = await exportUser(service.context, requestOf(userId));
    ok(!/Ana|Rivera|Elm|0004/.test(JSON.stringify(left)));
    deepEqual(left?.syncedProfile, {});
    equal((await findNewestPayment(service.context.db, applicationId))?.status, 'captured', 'paid for a filing');
    // Again, there is nothing left to erase.
    deepEqual(await eraseUser(service.context, requestOf(userId)), { status: 'erased', applications: 0 });
    const erasures = (await auditOf(applicationId)).filter(([action]) => action === 'application.erased');
    deepEqual(erasures, [['application.erased', 'done']]);
    deepEqual(
      (await auditOf(userId)).filter(([action]) => action === 'user.erased'),
      [
        ['user.erased', '2'],
        ['user.erased', '0'],
      ],
    );
    ok((await stepsOf(other.applicationId)).length > 0);
    // The user begins again.
    const next = await service.createSession({ userId, states: ['CA'] }, { profile: {} });
    ok(next.applicationId !== open.applicationId);
    deepEqual(next.prefilled, { npn: false, ssn: false, backgroundQuestions: false });
  });

  it('Nothing is erased while one application of the user waits for a state.', async () => {
    const { userId, applicationId } = await createUser();
    const waiting = await service.createSession({ userId, states: ['CA'] });
    await placeAt(service, waiting, 'receipt', { ssn: '900-11-0004' });
    deepEqual(await eraseUser(service.context, requestOf(userId)), {
      status: 'waiting',
      applicationIds: [waiting.applicationId],
    });
    ok((await stepsOf(applicationId)).length > 0);
  });

  it('Under a legal hold neither a request nor the retention period erases anything, and afterwards both do.', async () => {
    const held = await createUser();
    const request = requestOf(held.userId);
    equal(await setHold(service.context, request, true), true);
    equal(await setHold(service.context, request, true), false);
    now += 200 * day;
    const erasable = await countErasable(service.context, 90);
    await eraseEnded(service.context, 90);
    ok((await stepsOf(held.applicationId)).length > 0);
    deepEqual(await eraseUser(service.context, request), { status: 'held' });
    equal(await setHold(service.context, request, false), true);
    equal(await countErasable(service.context, 90), 1, `${erasable} were erased before`);
    await eraseEnded(service.context, 90);
    deepEqual(await stepsOf(held.applicationId), []);
    equal(await setHold(service.context, requestOf('usr_nobody'), true), undefined);
    equal(await eraseUser(service.context, requestOf('usr_nobody')), undefined);
    deepEqual(await auditOf(held.userId), [
      ['user.held', 'done'],
      ['user.hold_ended', 'done'],
    ]);
  });
});
