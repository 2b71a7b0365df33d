import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import { environmentVariables } from '../../../src/bridge/environment.js';

async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await runCli(args, {}, output);
  return { code, out, err };
}

test('--help lists every command and every environment variable', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  for (const name of [
    'serve',
    'agency create',
    'agency list',
    'agency deactivate',
    'territory import',
    'territory list',
    'application decide',
    'webhooks failed',
    'webhooks replay',
  ]) {
    assert.ok(out.includes(`  ${name} `), name);
  }
  for (const name of Object.keys(environmentVariables)) assert.ok(out.includes(name), name);
});

test('each command explains its options', async () => {
  const { code, out } = await run('application', 'decide', '--help');
  assert.equal(code, 0);
  for (const option of ['--id ID', '--state TX', '--status STATUS', '--reason TEXT', '--action-url URL', '--json']) {
    assert.ok(out.includes(option), option);
  }
});

for (const [args, message] of [
  [['frobnicate'], /Unknown command "frobnicate"/],
  [['agency'], /Unknown command "agency"/],
  [['agency', 'destroy'], /Unknown command "agency destroy"/],
  [['agency', 'create'], /missing --name NAME/],
  [['agency', 'create', '--nme', 'x'], /Unknown option '--nme'/],
  [['agency', 'create', 'x'], /Unexpected argument 'x'/],
  [['agency', 'create', '--name', ' '], /--name: expected/],
  [['agency', 'create', '--name', 'x', '--onboard-types', 'lookup,all'], /--onboard-types: expected/],
  [['application', 'decide', '--id', 'a', '--state', 'tx', '--status', 'approved'], /--state: expected/],
  [['application', 'decide', '--id', 'a', '--state', 'TX', '--status', 'ok'], /--status: expected/],
  [
    [
      'application',
      'decide',
      '--id',
      'a',
      '--state',
      'TX',
      '--status',
      'approved',
      '--action-url',
      'https://a.example',
    ],
    /--action-url: expected/,
  ],
  [
    [
      'application',
      'decide',
      '--id',
      'a',
      '--state',
      'TX',
      '--status',
      'requires_action',
      '--action-url',
      'javascript:1',
    ],
    /--action-url: expected/,
  ],
] as const) {
  test(`"${args.join(' ')}" is asked for wrongly: exit 2`, async () => {
    const { code, out, err } = await run(...args);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, message);
  });
}

test('no command at all prints the help and is wrong', async () => {
  const { code, out } = await run();
  assert.equal(code, 2);
  assert.match(out, /^Usage: /);
});
