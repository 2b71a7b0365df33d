import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { SubscriptionUpdate } from '../../../src/contract/index.js';
import { generateProducer } from '../../../src/bridge/registry/synthetic/producer.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { runHere } from '../process.js';

const secretKey = randomBytes(32).toString('base64');
let bridge: TestBridge;
let folder: string;
before(async () => {
  // Every command runs while this one is serving.
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: secretKey } });
  folder = await mkdtemp(join(tmpdir(), 'registry-cli-'));
});
after(async () => {
  await bridge.stop();
  await rm(folder, { recursive: true, force: true });
});

const variables = () => ({ DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey });

const run = (...args: string[]) => runHere(['registry', ...args], variables());

async function runJson(...args: string[]): Promise<unknown> {
  const { out } = await run(...args, '--json');
  return JSON.parse(out);
}

test('Generated producers are listed in their mode, and the serving bridge finds them.', async () => {
  assert.deepEqual(await runJson('generate', '--count', '3'), { created: 3, existing: 0 });
  assert.equal((await run('generate', '--count', '4')).out, '1 created, 3 were there.\n');
  const npns = ['9000000001', '9000000002', '9000000003', '9000000004'];
  assert.deepEqual(await runJson('list'), { npns });
  assert.equal((await run('list', '--limit', '2')).out, '9000000001\n9000000002\n');
  assert.deepEqual(await runJson('list', '--mode', 'live'), { npns: [] });

  const { npn, ssn, biographic } = generateProducer(0, 1);
  const answer = await bridge.call('POST', '/v1/account/producer/npn-lookup', {
    body: { lastName: biographic.lastName, ssn },
  });
  assert.deepEqual((answer.body as unknown as { data: unknown }).data, { npn });
});

test('The update that docs/bridge/run.md requests exists on the day on which the registry is generated.', async () => {
  await run('generate', '--count', '300');
  const page = await readFile(new URL('../../../docs/bridge/run.md', import.meta.url), 'utf8');
  const block = /```sh\n(BRIDGE=[^`]*subscription-update[^`]*)```/.exec(page)?.[1] ?? '';
  const { clientId, testClientSecret } = bridge.credential;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-ec', block.replace('http://127.0.0.1:5171', bridge.bridgeUrl)],
    {
      env: { ...process.env, CLIENT_ID: clientId, TEST_CLIENT_SECRET: testClientSecret },
    },
  );
  const update = JSON.parse(stdout.slice(stdout.lastIndexOf('{"npn"'))) as SubscriptionUpdate;
  assert.equal(update.npn, '9000000001');
  assert.equal(update.updatedAt.slice(0, 10), update.reportDate);
  assert.ok(update.changes.length > 0);
});

test('The file of the documentation is imported without a bad line.', async () => {
  const page = await readFile(new URL('../../../docs/bridge/registry-import.md', import.meta.url), 'utf8');
  const [, lines = ''] = /^```json file=producers\.ndjson\n([^]*?)^```/m.exec(page) ?? [];
  const file = join(folder, 'documented.ndjson');
  await writeFile(file, lines);
  const { code, out } = await run('import', file, '--mode', 'live');
  assert.deepEqual([code, out], [0, '2 created, 1 updated, 0 unchanged, 0 bad.\n']);
});

test('An import with bad lines keeps the good ones, reports the others, and fails with its exit code.', async () => {
  const file = join(folder, 'bad.ndjson');
  await writeFile(file, '{"npn":1,"biographic":{"lastName":"A"}}\n{"npn":2,"ssn":"987-65-432"}\nnone\n');
  const { code, out, err } = await run('import', file);
  assert.equal(code, 1);
  assert.equal(
    out,
    '1 created, 0 updated, 0 unchanged, 2 bad.\nline 2: ssn: expected nine digits, or 3-2-4 with dashes\nline 3: not JSON\n',
  );
  assert.equal(err, '2 bad lines were left out.\n');
  assert.deepEqual(await runJson('import', file, '--from-line', '3', '--mode', 'live'), {
    lines: 3,
    created: 0,
    updated: 0,
    unchanged: 0,
    bad: 1,
    badLines: [{ line: 3, reason: 'not JSON' }],
    resumedFromLine: 3,
  });
});

test('Generated producers can be written to a file, and importing the file has the same result.', async () => {
  const file = join(folder, 'written.ndjson');
  assert.deepEqual(await runJson('generate', '--count', '700', '--seed', '5', '--to', file), { written: 700 });
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  assert.deepEqual([lines.length, lines[699]], [700, JSON.stringify(generateProducer(5, 699))]);
  await run('generate', '--count', '700', '--seed', '5');
  assert.deepEqual(await runJson('import', file), {
    lines: 700,
    created: 0,
    updated: 0,
    unchanged: 700,
    bad: 0,
    badLines: [],
    resumedFromLine: 1,
  });
  const again = await run('generate', '--count', '1', '--to', file);
  assert.equal(again.code, 1);
  assert.match(again.err, /exists/);
});

for (const [args, message] of [
  [['generate', '--count', '0'], /--count: expected a whole number from 1 to/],
  [['generate', '--count', '1', '--seed', '100'], /--seed: expected a whole number from 0 to 99/],
  [['generate', '--count', '1', '--at', '2999-01-01'], /--at: expected a moment that has passed/],
  [['generate', '--count', '1', '--at', '2026-02-30'], /--at: expected/],
  [['import'], /missing FILE\.ndjson/],
  [['import', 'x', '--from-line', '0'], /--from-line: expected/],
] as const) {
  test(`"registry ${args.join(' ')}" is a usage error: exit 2.`, async () => {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, message);
  });
}

test('A file of another format is named once, with what is expected.', async () => {
  const file = join(folder, 'export.csv');
  await writeFile(file, 'npn,lastName\n1,A\n'.repeat(1_000));
  const { code, out, err } = await run('import', file);
  assert.deepEqual([code, out], [1, '']);
  assert.equal(err, `${file} is a CSV or another text: expected one JSON object per line, or a JSON array of them.\n`);
});

for (const name of ['missing.ndjson', '.']) {
  test(`"registry import ${name}" says that it cannot be read.`, async () => {
    const { code, err } = await run('import', join(folder, name));
    assert.equal(code, 1);
    assert.match(err, /cannot be read/);
  });
}
