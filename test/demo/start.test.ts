import assert from 'node:assert/strict';
import { access, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createBridgeClient } from '../../src/server/index.js';
import { findDemoPlace, listen, portVariables, stopListening, type DemoPlace } from './running-demo.js';

describe('npm start', () => {
  it('npm start prints the URLs of what runs, refuses a second start, and stops everything on SIGINT', async (t) => {
    const place = await setup(t);
    const { ports } = place;
    const demo = place.start();
    await demo.says('Press Ctrl-C');

    const addresses = [...demo.output().matchAll(/http:\/\/\S+/g)].map(([address]) => new URL(address));
    assert.deepEqual(
      addresses.map(({ port }) => Number(port)),
      [ports.BRIDGE_PORT, ports.APPLY_PORT, ports.DEMO_PORT, ports.CONSOLE_PORT],
    );
    const [bridge, , site, operators] = addresses;
    assert.equal((await fetch(new URL('/readyz', bridge))).status, 200);
    assert.match(await (await fetch(String(site))).text(), /<licensing-apply/);
    const [, name = '', password = ''] = /sign in as (\S+) with (\S+)/.exec(demo.output()) ?? [];
    const body = new URLSearchParams({ name, password });
    const signIn = await fetch(new URL('/sign-in', operators), { method: 'POST', body, redirect: 'manual' });
    assert.equal(signIn.headers.get('location'), '/');
    for (const path of ['/server.ts', '/../package.json', '/..%2fpackage.json', '/data/territories.json'])
      assert.equal((await fetch(new URL(path, site))).status, 404, path);

    const second = place.start();
    assert.equal(await second.ended, 1);
    assert.match(second.output(), new RegExp(`Port ${ports.DEMO_PORT} is in use.*DEMO_PORT=`));

    demo.child.kill('SIGINT');
    assert.equal(await demo.ended, 0);
    await assertNothingRuns(place);
  });

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

  for (const variable of portVariables) {
    it(`npm start names ${variable} when its port is in use, and starts nothing`, async (t) => {
      const place = await setup(t);
      const holder = await listen(place.ports[variable]);
      t.after(() => stopListening(holder));
      const demo = place.start();
      assert.equal(await demo.ended, 1);
      assert.match(demo.output(), new RegExp(`Port ${place.ports[variable]} is in use.*${variable}=`));
      assert.deepEqual(await readdir(place.dataFolder), []);
    });
  }

  it('npm start names a variable that is not a port number', async (t) => {
    const { start } = await setup(t);
    const demo = start({ APPLY_PORT: 'http' });
    assert.equal(await demo.ended, 1);
    assert.match(demo.output(), /APPLY_PORT must be a port number, not "http"/);
  });

  it('npm start shows the end of the log when the bridge does not start', async (t) => {
    const place = await setup(t);
    const demo = place.start({ BRIDGE_SESSION_TTL: 'soon' });
    assert.equal(await demo.ended, 1);
    assert.match(demo.output(), /The bridge stopped[^]*BRIDGE_SESSION_TTL/);
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
