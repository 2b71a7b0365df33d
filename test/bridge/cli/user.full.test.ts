import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { runHere } from '../process.js';

const key = Buffer.alloc(32, 1).toString('base64');
let service: ApplyService;
before(async () => {
  service = await startApplyService({ environment: { BRIDGE_SECRET_KEY: key } });
});
after(() => service.stop());

/** Runs a command about a user of test mode. */
function run(command: string, userId: string) {
  const options = ['--agency', service.agencyId, '--user', userId, '--mode', 'test', '--reason', 'Asked by phone'];
  return runHere(['user', command, ...options], { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: key });
}

test('user erase says why nothing is erased: a legal hold, or an application that waits for a state.', async () => {
  const { applicationId } = await service.createSession({ userId: 'usr_held', states: ['TX'] });
  const hold = async (command: string) => (await run(command, 'usr_held')).out;
  assert.equal(await hold('hold'), 'The data of the user is under a legal hold.\n');
  assert.equal(await hold('hold'), 'The data of the user is under a legal hold already.\n');
  const held = await run('erase', 'usr_held');
  assert.deepEqual([held.code, held.err], [1, 'The data of the user is under a legal hold: see user release.\n']);
  assert.equal(await hold('release'), 'The data of the user is under no legal hold.\n');
  assert.equal((await run('erase', 'usr_held')).out, 'The data of the user is erased, in 1 applications.\n');

  const waiting = await service.createSession({ userId: 'usr_waiting', states: ['TX'] });
  await placeAt(service, waiting, 'receipt');
  const refused = await run('erase', 'usr_waiting');
  assert.equal(refused.code, 1);
  assert.match(refused.err, new RegExp(`these applications wait for a state: ${waiting.applicationId}\\.`));
  const exported = await run('export', 'usr_waiting');
  assert.ok(exported.out.includes(waiting.applicationId) && !exported.out.includes(applicationId));
});

test('No command about a user works for one who does not exist.', async () => {
  for (const command of ['erase', 'export', 'hold', 'release']) {
    const { code, err } = await run(command, 'usr_nobody');
    assert.deepEqual([code, err], [1, 'The agency has no user of this id in this mode.\n'], command);
  }
});
