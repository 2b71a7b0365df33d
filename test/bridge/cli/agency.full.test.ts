import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Agency } from '../../../src/bridge/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { runHere } from '../process.js';

const key = Buffer.alloc(32, 1).toString('base64');
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: key } });
});
after(() => bridge.stop());

const run = (...args: string[]) =>
  runHere(['agency', ...args], { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: key });

async function runJson<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Value;
}

test('agency deactivate refuses tokens and logins, and agency activate accepts both again.', async () => {
  const { agencyId, credential, tokens } = await bridge.addAgency();
  const read = () => bridge.call('PATCH', '/v1/account', { body: {}, token: tokens.test });
  const logIn = () => {
    const { clientId, testClientSecret: clientSecret } = credential;
    return bridge.call('POST', '/v1/auth/login', { body: { clientId, clientSecret }, token: null });
  };
  const { deactivatedAt } = await runJson<Agency>('deactivate', '--id', agencyId);
  assert.notEqual(deactivatedAt, '');
  const again = await runJson<Agency>('deactivate', '--id', agencyId);
  assert.equal(again.deactivatedAt, deactivatedAt, 'the time of the first time');
  assert.deepEqual([(await read()).status, (await logIn()).status], [403, 401]);
  assert.equal((await runJson<Agency>('activate', '--id', agencyId)).deactivatedAt, '');
  assert.deepEqual([(await read()).status, (await logIn()).status], [200, 200]);
});

test('agency update changes the name, the onboard types, or both.', async () => {
  const { agencyId, tokens } = await bridge.addAgency('Old name', ['lookup']);
  const renamed = await runJson<Agency>('update', '--id', agencyId, '--name', 'New name');
  assert.deepEqual([renamed.name, renamed.onboardTypes], ['New name', ['lookup']]);
  const start = () => {
    const body = { npn: ['1'], onboardType: 'subscribe' };
    return bridge.call('POST', '/v1/account/producer/bulk/onboard', { body, token: tokens.test });
  };
  const before = await start();
  await runJson('update', '--id', agencyId, '--onboard-types', 'lookup,subscribe');
  assert.deepEqual([before.status === 200, (await start()).status], [false, 200]);
  assert.match((await run('list')).out, new RegExp(`${agencyId}  New name`));
});

test('agency credential prints a pair that logs in, and ends the previous one with its tokens.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const { code, out, err } = await run('credential', '--id', agencyId);
  assert.deepEqual([code, err], [0, '']);
  const [, clientId, live, test] =
    /^clientId: (cli_\S+)\nliveClientSecret: (\S+)\ntestClientSecret: (\S+)\n$/.exec(out) ?? [];
  for (const clientSecret of [live, test]) {
    const answer = await bridge.call('POST', '/v1/auth/login', { body: { clientId, clientSecret }, token: null });
    assert.equal(answer.status, 200);
  }
  assert.equal((await bridge.call('PATCH', '/v1/account', { body: {}, token: tokens.live })).status, 401);
});

test('agency credential issues the first credential of an agency, whose id then issues none.', async () => {
  const { agencyId } = await runJson<Agency>('create', '--name', 'New Agency');
  await runJson('credential', '--id', agencyId);
  const path = `/v1/account/account-credential?agencyId=${agencyId}`;
  assert.equal((await bridge.call('POST', path, { token: null })).status, 401);
});

for (const command of ['activate', 'deactivate', 'credential']) {
  test(`agency ${command} says that no agency has the id.`, async () => {
    assert.deepEqual(await run(command, '--id', 'agc_none'), {
      code: 1,
      out: '',
      err: 'There is no agency of this id.\n',
    });
  });
}
