import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createBridgeClient } from '../../src/server/index.js';
import { assertNothingRuns, setup } from './running-demo.js';

describe('starts and ends of the demo', () => {
  it('npm start stops everything when npm is killed and the shell forwards no signal', async (t) => {
    const place = await setup(t);
    const demo = place.startBehindShell();
    await demo.says('Press Ctrl-C');
    demo.child.kill('SIGKILL');
    // The output stays open while any process could write to it.
    await demo.ended;
    await assertNothingRuns(place);
  });

  it('npm start creates the agency, its territory and the producers on the first start only', async (t) => {
    const { dataFolder, ports, start } = await setup(t);
    const file = join(dataFolder, 'demo-credential.json');
    const credentials = new Set<string>();
    const updates = new Set<string>();
    for (const _start of ['first', 'second']) {
      const demo = start();
      await demo.says('Press Ctrl-C');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const stored = await readFile(file, 'utf8');
      credentials.add(stored);
      const { clientId, clientSecret } = JSON.parse(stored) as Credential;
      const baseUrl = `http://127.0.0.1:${ports.BRIDGE_PORT}`;
      const bridge = createBridgeClient({ baseUrl, clientId, clientSecret });
      const { data } = await bridge.producers.lookUpNpn({ lastName: 'Sample', ssn: '000-12-3456' });
      assert.deepEqual(data, { npn: '9000000001' });
      const last = await bridge.producers.onboard({ npn: '9000000300', onboardType: 'lookup' });
      assert.equal(last.biographic.npn, '9000000300');
      await bridge.subscriptions.add({ npns: [data.npn] });
      const reportDate = new Date().toISOString().slice(0, 10);
      const update = await bridge.producers.getSubscriptionUpdate({ npn: data.npn, reportDate });
      assert.deepEqual(update.changes, ['contactInfos']);
      updates.add(String(update.updatedAt));
      const { territories } = (await bridge.territories.list()).data;
      assert.deepEqual(
        territories.map(({ name }) => name),
        ['Gulf Coast'],
      );
      demo.child.kill('SIGTERM');
      assert.equal(await demo.ended, 0);
    }
    assert.equal(credentials.size, 1);
    assert.equal(updates.size, 1);
  });
});

interface Credential {
  clientId: string;
  clientSecret: string;
}
