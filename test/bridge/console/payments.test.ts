import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readAudit } from '../../../src/bridge/domain/audit.js';
import { signedIn, startConsole, submitThroughPages, type ConsoleService } from './support.js';

let service: ConsoleService;
before(async () => {
  service = await startConsole();
});
after(() => service.stop());

/**
 * A paid application. Its payment counts as captured, like those of a version that charged at once.
 */
async function paid(): Promise<{ id: string; cents: number }> {
  const id = await submitThroughPages(service);
  const { db } = service.context;
  const { amount_cents: cents } = await db
    .updateTable('payment')
    .set({ captured_at: new Date() })
    .where('application_id', '=', id)
    .returning('amount_cents')
    .executeTakeFirstOrThrow();
  return { id, cents };
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

test('A refund is entered once, with a reason, and never for more than was captured.', async () => {
  const { id, cents } = await paid();
  const dana = await signedIn(service, 'Dana', 'file');
  assert.match((await dana.get('/payments')).html, new RegExp(`/applications/${id}/refund`));
  const path = `/applications/${id}/refund`;
  const refund = /name="refund" value="([^"]+)"/.exec((await dana.get(path)).html)?.[1] ?? '';
  const reason = 'The department returned it';
  for (const amount of ['', '0', '-1', '1e3', '1.5', 'ten', dollars(cents + 1)])
    assert.equal((await dana.post(path, { refund, amount, reason })).status, 422, amount);
  assert.equal((await dana.post(path, { refund, amount: '1.00', reason: 'no' })).status, 422);
  assert.equal((await dana.post(path, { refund: 'ref_x', amount: '1.00', reason })).status, 422);
  const done = await dana.post(path, { refund, amount: '1.00', reason });
  assert.match(done.html, /The refund was saved/);
  await dana.post(path, { refund, amount: '1.00', reason });
  const rows = await service.context.db.selectFrom('payment_refund').selectAll().execute();
  assert.deepEqual(
    rows.map(({ id: own, amount_cents: amount }) => [own, amount]),
    [[refund, 100]],
  );
  const [entry] = await readAudit(service.context, { action: 'payment.refund_requested', limit: 1 });
  assert.deepEqual([entry?.subject, entry?.note], [`${id}/${refund}`, reason]);
});

test('The role view sees payments and refunds nothing.', async () => {
  const { id } = await paid();
  const viewer = await signedIn(service, 'Viewer', 'view');
  const list = await viewer.get('/payments');
  assert.match(list.html, new RegExp(id));
  assert.doesNotMatch(list.html, /\/refund"/);
  assert.equal((await viewer.get(`/applications/${id}/refund`)).status, 403);
});
