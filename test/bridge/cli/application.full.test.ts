import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { runHere } from '../process.js';

const key = Buffer.alloc(32, 1).toString('base64');
let service: ApplyService;
before(async () => {
  service = await startApplyService({ environment: { BRIDGE_SECRET_KEY: key } });
});
after(() => service.stop());

function run(words: string[], days = '') {
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: key, BRIDGE_RETENTION_DAYS: days };
  return runHere(['application', ...words], variables);
}

test("application show prints status, steps, states and events without the user's input.", async () => {
  const session = await service.createSession({ webhookUrl: 'http://127.0.0.1:9/hooks/private-path' });
  await placeAt(service, session, 'receipt');
  const id = session.applicationId;
  const asJson = await run(['show', '--id', id, '--json']);
  assert.deepEqual([asJson.code, asJson.err], [0, '']);
  const shown = JSON.parse(asJson.out) as {
    applicationId: string;
    step: string;
    submittedAt: string;
    completedSteps: { step: string }[];
    states: { state: string; status: string }[];
    events: { type: string }[];
  };
  assert.deepEqual([shown.applicationId, shown.step], [id, 'submitted']);
  assert.match(shown.submittedAt, /^\d{4}-/);
  assert.ok(shown.completedSteps.some(({ step }) => step === 'identity'));
  assert.deepEqual(shown.states.map(({ state }) => state).sort(), ['CA', 'TX']);
  assert.ok(shown.events.some(({ type }) => type === 'application.submitted'));

  const asText = await run(['show', '--id', id]);
  assert.match(asText.out, /^step: submitted$/m);
  assert.match(asText.out, /^state TX: pending_review \d{4}-/m);
  assert.match(asText.out, /^event evt_\S+: application\.submitted /m);
  const token = session.applicationUrl.split('/').at(-1) ?? '';
  for (const secret of ['Rivera', 'Ana', 'Elm', '900-11', '900110004', '0004', 'private-path', token]) {
    assert.ok(!(asJson.out + asText.out).includes(secret), secret);
  }
});

test('application show says that no application has the id.', async () => {
  const expected = { code: 1, out: '', err: 'There is no application of this id.\n' };
  assert.deepEqual(await run(['show', '--id', 'app_unknown']), expected);
});

test('application erase counts and erases ended applications, and finds none the second time.', async () => {
  const { db } = service.context;
  const [ended, open] = [await service.createSession(), await service.createSession()];
  for (const session of [ended, open]) await placeAt(service, session, 'background');
  const expiresAt = new Date(Date.now() - 100 * 24 * 3_600_000);
  await db.updateTable('application').set({ expiresAt }).where('id', '=', ended.applicationId).execute();

  const count = ['erase', '--only', 'count', '--json'];
  assert.deepEqual(await run(count, '101'), { code: 0, out: '{"applications":0}\n', err: '' });
  assert.deepEqual(await run(count, '100'), { code: 0, out: '{"applications":1}\n', err: '' });
  const erased = { code: 0, out: '{"applications":1,"users":0}\n', err: '' };
  assert.deepEqual(await run(['erase', '--json'], '100'), erased);
  assert.match((await run(['erase'], '100')).out, /^0 applications are erased/);
  const steps = await db.selectFrom('applicationStep').select('applicationId').distinct().execute();
  const left = steps.map(({ applicationId }) => applicationId);
  assert.deepEqual([left.includes(ended.applicationId), left.includes(open.applicationId)], [false, true]);
});

test('application erase without a retention erases nothing and names the missing variable.', async () => {
  const { code, err } = await run(['erase']);
  assert.equal(code, 1);
  assert.match(err, /^BRIDGE_RETENTION_DAYS: required/);
  assert.equal((await run(['erase', '--only', 'show'], '90')).code, 2);
  assert.match((await run(['erase'], '30')).err, /BRIDGE_RETENTION_DAYS: expected a whole number from 90 to/);
});
