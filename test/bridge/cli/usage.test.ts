import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentVariables } from '../../../src/bridge/config/environment.js';
import { readManifest } from '../../support/consumer.js';
import { runHere } from '../process.js';

const run = (...args: string[]) => runHere(args);

test('--help lists every command and every environment variable.', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  for (const name of [
    'serve',
    'migrate',
    'check',
    'agency create',
    'agency list',
    'agency deactivate',
    'agency activate',
    'agency update',
    'agency credential',
    'agency webhook-secret',
    'territory import',
    'territory list',
    'application decide',
    'application correct',
    'application erase',
    'webhooks failed',
    'webhooks replay',
  ]) {
    assert.ok(out.includes(`  ${name} `), name);
  }
  for (const name of Object.keys(environmentVariables)) assert.ok(out.includes(name), name);
});

test('help and --json may precede a command.', async () => {
  const { out } = await run('agency', 'create', '--help');
  for (const args of [
    ['help', 'agency', 'create'],
    ['--help', 'agency', 'create'],
    ['--json', '-h', 'agency', 'create'],
  ]) {
    assert.deepEqual(await run(...args), { code: 0, out, err: '' });
  }
  assert.match((await run('--json', '--help')).out, /^Usage: licensing-bridge <command>/);
});

test('--version prints the version of the package.', async () => {
  const { version } = readManifest('licensing-bridge');
  assert.deepEqual(await run('--version'), { code: 0, out: `${version}\n`, err: '' });
});

const decide = ['application', 'decide', '--id', 'a', '--state', 'TX', '--status'];
for (const [args, message] of [
  [['frobnicate'], /Unknown command "frobnicate"/],
  [['--frobnicate'], /Expected a command before --frobnicate/],
  [
    ['agency', '--json', 'list'],
    /Unknown command "agency"\. Commands: agency create, agency list, agency update, agency deactivate, agency activate, agency credential, agency webhook-secret\./,
  ],
  [['agency', 'create', '--name', 'x', '--name', 'y'], /Option '--name' is given twice/],
  [['registry', 'list', '--limit', '-1'], /^registry list: --limit: expected a value; .* --limit=-…\. See --help\.\n$/],
  [['agency', 'create'], /missing --name NAME/],
  [['catalogue', 'diff', '1'], /missing B\. See --help/],
  [['agency', 'update', '--id', 'agc_1'], /Expected --name or --onboard-types/],
  [['agency', 'create', '--nme', 'x'], /Unknown option '--nme'/],
  [['agency', 'create', '--name', 'S\uFFFDd'], /^An argument is not UTF-8: set the terminal, .* to UTF-8\.\n$/],
  [['agency', 'create', 'x'], /Unexpected argument 'x'/],
  [['agency', 'create', '--name', 'x', '--onboard-types', 'lookup,all'], /--onboard-types: expected/],
  [['application', 'decide', '--id', 'a', '--state', 'tx', '--status', 'approved'], /--state: expected/],
  [[...decide, 'ok'], /--status: expected/],
  [[...decide, 'approved', '--action-url', 'https://a.example'], /--action-url: expected/],
  [[...decide, 'requires_action', '--action-url', 'javascript:1'], /--action-url: expected/],
  [[...decide, 'requires_action', '--fee-cents', '45.00'], /--fee-cents: expected a whole number/],
  [[...decide, 'requires_action', '--fee-cents', '4500'], /--reason: required/],
  [['audit', 'list', '--action', 'revealed'], /--action: expected one of .*application\.revealed/],
] satisfies [string[], RegExp][]) {
  test(`"${args.join(' ')}" is a usage error: exit 2.`, async () => {
    const { code, out, err } = await run(...args);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, message);
  });
}

test('Without a command, the help is printed and the exit code is 2.', async () => {
  const { code, out } = await run();
  assert.equal(code, 2);
  assert.match(out, /^Usage: /);
});
