import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeOldNode } from '../../../src/bridge/cli/node-version.js';
import { freePorts } from '../../support/free-ports.mjs';
import { runHere } from '../process.js';

const listAgencies = (variables: Record<string, string>) => runHere(['agency', 'list'], variables);

test('A Node that is too old gets a clear message instead of a syntax error.', () => {
  for (const version of ['18.20.8', '20.20.2', '22.14.0', '22.18.0']) {
    assert.equal(describeOldNode(version), `licensing-bridge needs Node 22.19 or later, and this is ${version}.`);
  }
  for (const version of ['22.19.0', '23.0.0', '24.21.0']) assert.equal(describeOldNode(version), undefined);
});

test('The packages, their lock file, the README and the bridge require the same Node.', async () => {
  const names = ['package.json', 'package-lock.json', 'README.md', 'src/bridge/README.md'];
  const [manifest, lock, ...readmes] = await Promise.all(names.map((name) => readFile(name, 'utf8')));
  const { engines } = JSON.parse(manifest ?? '') as { engines: { node: string } };
  const { packages } = JSON.parse(lock ?? '') as { packages: Record<string, { engines?: { node: string } }> };
  const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
  for (const folder of ['', 'src/bridge']) assert.deepEqual(packages[folder]?.engines, engines, folder);
  assert.match(describeOldNode('18.0.0') ?? '', new RegExp(`needs Node ${oldest} or later`));
  const named = [...readmes.join('\n').matchAll(/Node(?:\.js)? (\d[\d.]*) or later/g)].map(([, version]) => version);
  assert.deepEqual([...new Set(named)], [oldest]);
});

test('A database that does not answer is named by its variable, without its password.', async () => {
  const [port = 0] = await freePorts(1);
  const secretKey = Buffer.alloc(32).toString('base64');
  const { code, err } = await listAgencies({
    DATABASE_URL: `postgresql://bridge:hunter2@127.0.0.1:${port}/bridge`,
    BRIDGE_SECRET_KEY: secretKey,
  });
  assert.equal(code, 1);
  assert.match(err, /^The database at DATABASE_URL cannot be used: .*ECONNREFUSED.* Check that PostgreSQL runs there/);
  assert.doesNotMatch(err, /hunter2/);
});

test('A data folder that cannot be created is named by its variable, at once.', { timeout: 20_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-start-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const data of [join(file, 'data'), '/proc/data', '/proc/data/below', '/dev/null/data']) {
    const { code, err } = await listAgencies({ BRIDGE_DATA_DIR: data });
    assert.equal(code, 1);
    assert.match(err, /^The data folder cannot be used \([A-Z]+: .*\)\. Set BRIDGE_DATA_DIR to one/);
  }
});
