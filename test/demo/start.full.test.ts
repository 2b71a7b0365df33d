import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { it } from 'node:test';
import { assertNothingRuns, listen, setup, stopListening } from './running-demo.js';

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
  for (const [name, port] of Object.entries(ports))
    assert.match(second.output(), new RegExp(`Port ${port} is in use.*${name}=${port + 10} .*npm start`));

  demo.child.kill('SIGINT');
  assert.equal(await demo.ended, 0);
  await assertNothingRuns(place);
});

it('npm start names CONSOLE_PORT when its port is in use, and starts nothing', async (t) => {
  const place = await setup(t);
  const holder = await listen(place.ports.CONSOLE_PORT);
  t.after(() => stopListening(holder));
  const demo = place.start();
  assert.equal(await demo.ended, 1);
  assert.match(demo.output(), new RegExp(`Port ${place.ports.CONSOLE_PORT} is in use.*CONSOLE_PORT=`));
  assert.deepEqual(await readdir(place.dataFolder), []);
});

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
