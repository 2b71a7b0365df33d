import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Application } from '../../../src/contract/index.js';
import { onboardNextBatch } from '../../../src/bridge/bulk/worker.js';
import { createLogger } from '../../../src/bridge/index.js';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { signApplication } from '../../../src/bridge/domain/applications/submission.js';
import { lockLinked } from '../../../src/bridge/domain/applications/session.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { type Backlog, findBacklog } from '../../../src/bridge/store/webhooks/dead-letter-store.js';
import { testDatabase } from '../../support/database.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { changeApplication, createApplication } from '../applications.js';
import { createOwner, queueBulk } from '../bulk/queued-job.js';
import { registryUpTo } from '../bulk/numbered-registry.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

describe('the pages of a deactivated agency', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());
  afterEach(() => activateAgency(service.context, service.agencyId));

  it('The pages of a deactivated agency say in both languages that the link no longer works, and store no input.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'identity');
    await deactivateAgency(service.context, service.agencyId);

    for (const path of ['', '/start', '/profile', '/identity', '/review', '/receipt', '/leave']) {
      const page = await visitor.get(`${applicationUrl}${path}`);
      assert.deepEqual([page.status, page.heading], [410, 'This link no longer works'], path);
      assert.match(page.html, /href="http:\/\/localhost:5999\/return\?[^"]*status=expired"/);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors http:\/\/localhost:5999/);
      assert.doesNotMatch(page.html, /Rivera/);
    }
    assert.equal((await visitor.get(`${applicationUrl}?lang=es`)).heading, 'Este enlace ya no funciona');
    const posted = await visitor.post(`${applicationUrl}/identity`, typed.identity);
    assert.deepEqual([posted.status, posted.heading], [410, 'This link no longer works']);
    const steps = await service.context.db
      .selectFrom('application_step')
      .select('step')
      .where('application_id', '=', applicationId)
      .execute();
    assert.deepEqual(steps, [{ step: 'profile' }]);

    await activateAgency(service.context, service.agencyId);
    assert.equal((await walkTo(createVisitor(), { applicationUrl }, 'receipt')).heading, 'Application submitted');
  });

  it('The pages of a deactivated agency show no receipt and accept no answer to a department.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'receipt');
    const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
    const { body } = await service.call('POST', path, { body: { status: 'requires_action' } });
    const actionUrl = (body as Application).states.find(({ state }) => state === 'TX')?.actionUrl ?? '';
    await deactivateAgency(service.context, service.agencyId);

    const answer = { answer: 'Here it is', confirm: 'yes' };
    for (const page of [
      await visitor.get(applicationUrl),
      await visitor.get(actionUrl),
      await visitor.post(actionUrl, answer),
    ])
      assert.deepEqual([page.status, page.heading], [410, 'This link no longer works']);
    await activateAgency(service.context, service.agencyId);
    assert.equal((await visitor.post(actionUrl, answer)).heading, 'Your answer was sent');
  });

  it('The pages of a deactivated agency submit no application, even from an open last page.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'review');
    await deactivateAgency(service.context, service.agencyId);
    const token = applicationUrl.split('/').at(-1) ?? '';
    const signature = {
      signedName: 'Ana Rivera',
      attested: ['true'],
      language: 'en' as const,
      address: '',
      userAgent: '',
    };
    assert.equal(await signApplication(service.context, token, signature), undefined);
    await activateAgency(service.context, service.agencyId);
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    assert.equal(body.progress.step, 'review');
  });

  it('The deactivation waits for a form that is being saved; afterwards nothing is collected.', async () => {
    const { db } = service.context;
    const { applicationUrl } = await service.createSession();
    const token = applicationUrl.split('/').at(-1) ?? '';
    let isDone = false;
    const deactivated = await db.transaction().execute(async (trx) => {
      await lockLinked(trx, token);
      const deactivation = deactivateAgency(service.context, service.agencyId).then(() => (isDone = true));
      await until(
        () =>
          sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"deactivated_at"%'
          and datname = current_database()`.execute(db),
        ({ rows }) => rows.length > 0,
      );
      assert.equal(isDone, false);
      return { deactivation };
    });
    assert.equal(await deactivated.deactivation, true);
  });
});

describe('the webhooks of a deactivated agency', () => {
  let service: ApplyService;
  let receiver: Receiver;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  it('The webhooks of a deactivated agency are held, others are sent; activation sends the held ones in order.', async () => {
    const other = await service.addAgency('Another');
    const [held, sent] = [
      await createApplication(service, { webhookUrl: `${receiver.url}?held` }),
      await createApplication(service, { webhookUrl: `${receiver.url}?sent`, token: other.tokens.test }),
    ];
    const emit = (id: string, index: number) =>
      changeApplication(service, id, (trx, application) =>
        enqueueEvent(
          trx,
          application,
          'application.progress_updated',
          { step: 'profile', index, count: 6 },
          new Date(),
        ),
      );
    await deactivateAgency(service.context, service.agencyId);
    for (const index of [1, 2, 3]) await emit(held, index);
    await emit(sent, 9);
    await receiver.arrival(1);
    await emit(sent, 10);
    await receiver.arrival(2);
    const arrived = () => receiver.received.map(({ event }) => (event.data as { index?: number }).index);
    assert.deepEqual(arrived(), [9, 10]);
    // Held webhooks do not count as a delay, which would alert an operator.
    const idle = ({ due_streams, oldest_due_at }: Backlog) => due_streams === 0 && oldest_due_at === null;
    await until(() => findBacklog(service.context.db, new Date()), idle);

    await activateAgency(service.context, service.agencyId);
    await receiver.arrival(5);
    assert.deepEqual(arrived(), [9, 10, 1, 2, 3]);
  });
});

describe('the bulk onboardings of a deactivated agency', () => {
  it('The bulk onboardings of a deactivated agency pause, even within a batch, and finish after its activation.', async (t) => {
    const database = await testDatabase();
    t.after(() => database.stop());
    const { db } = database;
    const owner = await createOwner(db);
    const clock = () => new Date();
    const registry = registryUpTo(3);
    const context = { db, clock, registry, log: createLogger('silent') };
    const deactivating = {
      ...registry,
      async findKnown(...given: Parameters<typeof registry.findKnown>) {
        await deactivateAgency({ db, clock }, owner.agencyId);
        return registry.findKnown(...given);
      },
    };
    const onboarded = () => db.selectFrom('onboarded_producer').select('npn').execute();
    const job = await queueBulk(db, owner, [1, 2, 3]);

    await onboardNextBatch({ ...context, registry: deactivating });
    assert.equal(await onboardNextBatch(context), false);
    assert.deepEqual(await onboarded(), []);

    await activateAgency({ db, clock }, owner.agencyId);
    assert.equal(await onboardNextBatch(context), true);
    assert.equal((await job.finished()).successCount, 3);
    assert.equal((await onboarded()).length, 3);
  });
});
