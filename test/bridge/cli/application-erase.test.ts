import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { runCli } from '../../../src/bridge/cli/run.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';

const key = Buffer.alloc(32, 1).toString('base64');
let service: ApplyService;
before(async () => {
  service = await startApplyService({ environment: { BRIDGE_SECRET_KEY: key } });
});
after(() => service.stop());

async function run(days: string, ...args: string[]) {
  let [out, err] = ['', ''];
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: key, BRIDGE_RETENTION_DAYS: days };
  const code = await runCli(['application', 'erase', ...args], variables, output);
  return { code, out, err };
}

test('application erase counts and erases ended applications, and finds none the second time.', async () => {
  const { db } = service.context;
  const [ended, open] = [await service.createSession(), await service.createSession()];
  for (const session of [ended, open]) await walkTo(createVisitor(), session, 'background');
  await sql`update application set expires_at = now() - interval '100 days' where id = ${ended.applicationId}`.execute(
    db,
  );

  assert.deepEqual(await run('101', '--only', 'count', '--json'), { code: 0, out: '{"applications":0}\n', err: '' });
  assert.deepEqual(await run('100', '--only', 'count', '--json'), { code: 0, out: '{"applications":1}\n', err: '' });
  assert.deepEqual(await run('100', '--json'), { code: 0, out: '{"applications":1,"users":0}\n', err: '' });
  assert.match((await run('100')).out, /^0 applications are erased/);
  const steps = await db.selectFrom('application_step').select('application_id').distinct().execute();
  assert.deepEqual(steps, [{ application_id: open.applicationId }]);
});

test('application erase without a retention erases nothing and names the missing variable.', async () => {
  const { code, err } = await run('');
  assert.equal(code, 1);
  assert.match(err, /^BRIDGE_RETENTION_DAYS: required/);
  assert.equal((await run('90', '--only', 'show')).code, 2);
  assert.match((await run('30')).err, /BRIDGE_RETENTION_DAYS: expected a whole number from 90 to/);
});
