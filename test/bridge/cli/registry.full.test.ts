import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SubscriptionUpdate } from '../../../src/contract/index.js';
import { runCli } from '../../../src/bridge/cli/run.js';
import { generateProducer } from '../../../src/bridge/registry/synthetic/producer.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

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

async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await runCli(['registry', ...args], variables(), output);
  return { code, out, err };
}

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

test('Producers can be generated as of an earlier day.', async () => {
  await run('generate', '--count', '1', '--seed', '9', '--at', '2026-01-31');
  const { npn } = generateProducer(9, 0);
  const found = await bridge.context.registry.findProducers('test', [npn]);
  assert.equal(found.get(npn)?.createdAt, '2026-01-31T00:00:00.000Z');
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

test('An update can be applied as of an earlier day.', async () => {
  const file = join(folder, 'update.ndjson');
  await writeFile(file, '{"npn":77,"biographic":{"lastName":"A"}}');
  assert.equal((await run('import', file, '--at', '2026-02-01')).code, 0);
  await writeFile(file, '{"npn":77,"nasdExamDetails":"Series 6"}');
  assert.equal((await run('import', file, '--at', '2026-02-03T12:00:00-05:00')).code, 0);
  const update = await bridge.context.registry.findUpdate('test', '77', new Date('2026-02-04'));
  assert.deepEqual(
    [update?.updatedAt.toISOString(), update?.changes],
    ['2026-02-03T17:00:00.000Z', ['nasdExamDetails']],
  );
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

test('A killed import continues at its last line, and imports nothing twice.', async () => {
  const file = join(folder, 'killed.ndjson');
  await run('generate', '--count', '20000', '--seed', '6', '--to', file);
  const cli = fileURLToPath(new URL('../../../src/bridge/cli.ts', import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', cli, 'registry', 'import', file], {
    env: { ...inherited, ...variables() },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const progress = () => bridge.context.db.selectFrom('registry_import').select('progress').executeTakeFirst();
  while (((await progress())?.progress.lines ?? 0) === 0) {
    assert.equal(child.exitCode, null);
    await wait(5);
  }
  child.kill('SIGKILL');
  await exit;
  const found = (await runJson('import', file)) as { resumedFromLine: number; created: number; lines: number };
  assert.ok(found.resumedFromLine > 1);
  assert.deepEqual([found.created, found.lines], [20_000, 20_000]);
  assert.equal(await progress(), undefined);
});

test('The help lists the commands and their options.', async () => {
  assert.match((await run('import', '--help')).out, /registry import FILE\.ndjson[^]*--at TIME[^]*--from-line N/);
  assert.match((await run('generate', '--help')).out, /--count N[^]*--seed S[^]*--to FILE\.ndjson/);
});

for (const [args, message] of [
  [['generate'], /missing --count N/],
  [['generate', '--count', '0'], /--count: expected a whole number from 1 to/],
  [['generate', '--count', '1e3'], /--count: expected/],
  [['generate', '--count', '1', '--seed', '100'], /--seed: expected a whole number from 0 to 99/],
  [['generate', '--count', '1', '--mode', 'prod'], /--mode: expected test or live/],
  [['generate', '--count', '1', '--at', '2999-01-01'], /--at: expected a moment that has passed/],
  [['generate', '--count', '1', '--at', 'yesterday'], /--at: expected/],
  [['generate', '--count', '1', '--at', '2026-02-30T00:00Z5'], /--at: expected/],
  [['import'], /missing FILE\.ndjson/],
  [['import', 'x', '--from-line', '0'], /--from-line: expected/],
  [['list', '--limit', 'all'], /--limit: expected/],
] as const) {
  test(`"registry ${args.join(' ')}" is a usage error: exit 2.`, async () => {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, message);
  });
}

for (const name of ['missing.ndjson', '.']) {
  test(`"registry import ${name}" says that it cannot be read.`, async () => {
    const { code, err } = await run('import', join(folder, name));
    assert.equal(code, 1);
    assert.match(err, /cannot be read/);
  });
}
