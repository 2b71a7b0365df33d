import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { sql } from 'kysely';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { lockLinked } from '../../../src/bridge/domain/applications/session.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { until } from '../until.js';

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
    .selectFrom('applicationStep')
    .select('step')
    .where('applicationId', '=', applicationId)
    .execute();
  assert.deepEqual(steps, [{ step: 'profile' }]);

  await activateAgency(service.context, service.agencyId);
  assert.equal((await walkTo(createVisitor(), { applicationUrl }, 'receipt')).heading, 'Application submitted');
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
