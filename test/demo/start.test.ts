import assert from 'node:assert/strict';
import { access, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createBridgeClient } from '../../src/server/index.js';
import { findDemoPlace, listen, portVariables, stopListening, type DemoPlace } from './running-demo.js';

describe('npm start', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`starts bridge, hosted application and demo, prints their addresses, and ${signal} stops all three`, async (t) => {
      const place = await setup(t);
      const { ports } = place;
      const demo = place.start();
      await demo.says('Press Ctrl-C');

      const addresses = [...demo.output().matchAll(/http:\/\/\S+/g)].map(([address]) => new URL(address));
      assert.deepEqual(
        addresses.map(({ port }) => Number(port)),
        [ports.BRIDGE_PORT, ports.APPLY_PORT, ports.DEMO_PORT],
      );
      const [bridge, , site] = addresses;
      assert.equal((await fetch(new URL('/readyz', bridge))).status, 200);
      assert.match(await (await fetch(String(site))).text(), /<licensing-apply/);

      demo.child.kill(signal);
      assert.equal(await demo.ended, 0);
      await assertNothingRuns(place);
    });
  }

  it('stops by itself when npm was ended and only it is left', async (t) => {
    const place = await setup(t);
    const demo = place.startBehindShell();
    await demo.says('Press Ctrl-C');
    demo.child.kill('SIGKILL');
    // The output stays open as long as anything runs that could write to it.
    await demo.ended;
    await assertNothingRuns(place);
  });

  it('keeps the credential of its agency to itself, and uses it again', async (t) => {
    const { dataFolder, start } = await setup(t);
    const file = join(dataFolder, 'demo-credential.json');
    const writtenAt: number[] = [];
    for (const _run of ['first', 'second']) {
      const demo = start();
      await demo.says('Press Ctrl-C');
      const { mode, mtimeMs } = await stat(file);
      assert.equal(mode & 0o777, 0o600);
      writtenAt.push(mtimeMs);
      demo.child.kill('SIGINT');
      assert.equal(await demo.ended, 0);
    }
    assert.equal(writtenAt[0], writtenAt[1]);
  });

  it('has producers and territories to try the other operations with, each once', async (t) => {
    const { dataFolder, ports, start } = await setup(t);
    const updatedAt = new Set<string>();
    for (const _run of ['first', 'second']) {
      const demo = start();
      await demo.says('Press Ctrl-C');
      const kept = JSON.parse(await readFile(join(dataFolder, 'demo-credential.json'), 'utf8')) as Credential;
      const bridge = createBridgeClient({ baseUrl: `http://127.0.0.1:${ports.BRIDGE_PORT}`, ...kept });
      const { data } = await bridge.lookUpNpn({ lastName: 'Sample', ssn: '000-12-3456' });
      assert.deepEqual(data, { npn: '9000000001' });
      const last = await bridge.onboardProducer({ npn: '9000000300', onboardType: 'lookup' });
      assert.equal(last.biographic.npn, '9000000300');
      await bridge.subscribe([data.npn]);
      const reportDate = new Date().toISOString().slice(0, 10);
      const update = await bridge.getSubscriptionUpdate({ npn: data.npn, reportDate });
      assert.deepEqual(update.changes, ['contactInfos']);
      updatedAt.add(String(update.updatedAt));
      const territories = await bridge.listTerritories();
      assert.deepEqual(
        territories.data.territories.map(({ name }) => name),
        ['Gulf Coast', 'Pacific'],
      );
      demo.child.kill('SIGINT');
      assert.equal(await demo.ended, 0);
    }
    assert.equal(updatedAt.size, 1);
  });

  for (const variable of portVariables) {
    it(`names ${variable} when its port is taken, and leaves nothing running`, async (t) => {
      const place = await setup(t);
      const holder = await listen(place.ports[variable]);
      t.after(() => stopListening(holder));
      const demo = place.start();
      assert.equal(await demo.ended, 1);
      assert.match(demo.output(), new RegExp(`${place.ports[variable]} is taken.*${variable}=`));
      assert.deepEqual(await readdir(place.dataFolder), []);
      await stopListening(holder);
      await assertNothingRuns(place);
    });
  }

  it('names a port that is no number', async (t) => {
    const { start } = await setup(t);
    const demo = start({ APPLY_PORT: 'http' });
    assert.equal(await demo.ended, 1);
    assert.match(demo.output(), /APPLY_PORT has to be a port number/);
  });

  it('says why and stops when the bridge does not start', async (t) => {
    const place = await setup(t);
    const demo = place.start({ BRIDGE_SESSION_TTL: 'soon' });
    assert.equal(await demo.ended, 1);
    assert.match(demo.output(), /bridge stopped by itself[^]*BRIDGE_SESSION_TTL/);
    await assertNothingRuns(place);
  });
});

interface Credential {
  clientId: string;
  clientSecret: string;
}

async function setup(t: TestContext): Promise<DemoPlace> {
  const place = await findDemoPlace();
  t.after(() => place.clear());
  return place;
}

async function assertNothingRuns({ ports, dataFolder }: DemoPlace): Promise<void> {
  for (const port of Object.values(ports)) await stopListening(await listen(port));
  // The database server removes this file when it ends.
  await assert.rejects(access(join(dataFolder, 'postgres', 'postmaster.pid')));
}
