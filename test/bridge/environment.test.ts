import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { EnvironmentError, environmentVariables, readEnvironment } from '../../src/bridge/environment.js';
import { describeUnknownVariables } from '../../src/bridge/unknown-variables.js';

test('An empty environment has every default.', () => {
  const environment = readEnvironment({});
  assert.equal(environment.BRIDGE_PORT, 5171);
  assert.equal(environment.APPLY_PORT, 5172);
  assert.equal(environment.BRIDGE_TOKEN_TTL, 3_600);
  assert.equal(environment.BRIDGE_SESSION_TTL, 86_400);
  assert.equal(environment.BRIDGE_RATE_LIMIT, 600);
  assert.equal(environment.BRIDGE_WEBHOOK_RETRY_SCALE, 1);
  assert.equal(environment.BRIDGE_ALLOW_LOOPBACK_WEBHOOKS, false);
  assert.equal(environment.BRIDGE_ALLOW_SAMPLE_FEES, false);
  assert.equal(environment.DATABASE_URL, undefined);
  assert.equal(environment.BRIDGE_SECRET_KEY, undefined);
  assert.equal(environment.BRIDGE_RETENTION_DAYS, undefined);
  assert.equal(environment.BRIDGE_POOL_SIZE, 10);
  assert.equal(environment.BRIDGE_PREPARED_STATEMENTS, true);
});

test('An empty variable counts as absent.', () => {
  assert.equal(readEnvironment({ BRIDGE_PORT: '', DATABASE_URL: '  ' }).BRIDGE_PORT, 5171);
});

test('Every wrong variable is named at once, and no value is shown.', () => {
  const wrong = {
    BRIDGE_HOST: 'a host',
    BRIDGE_PORT: '70000',
    BRIDGE_URL: 'https://user:hunter2@bridge.example',
    APPLY_PORT: '-1',
    APPLY_URL: 'https://apply.example/path',
    DATABASE_URL: 'mysql://root:hunter2@localhost/x',
    BRIDGE_SECRET_KEY: 'hunter2',
    BRIDGE_OLD_SECRET_KEYS: `${randomBytes(32).toString('hex')},hunter2`,
    BRIDGE_SCHEMA: 'public; drop table agency',
    BRIDGE_POOL_SIZE: '1',
    BRIDGE_PREPARED_STATEMENTS: 'no',
    BRIDGE_TOKEN_TTL: '1h',
    BRIDGE_SESSION_TTL: '0',
    BRIDGE_RETENTION_DAYS: '30',
    BRIDGE_RATE_LIMIT: '1.5',
    BRIDGE_TRUSTED_PROXIES: 'yes',
    BRIDGE_WEBHOOK_RETRY_SCALE: '-1',
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: '1',
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readEnvironment(wrong),
    (error: unknown) => {
      assert.ok(error instanceof EnvironmentError);
      for (const name of Object.keys(wrong)) assert.match(error.message, new RegExp(`${name}: expected `));
      assert.doesNotMatch(error.message, /hunter2|70000|loud/);
      return true;
    },
  );
});

for (const [form, key] of [
  ['base64', randomBytes(32).toString('base64')],
  ['base64url', randomBytes(32).toString('base64url')],
  ['hex', randomBytes(32).toString('hex')],
] as const) {
  test(`A key of 32 bytes is read as ${form}.`, () => {
    assert.equal(readEnvironment({ BRIDGE_SECRET_KEY: key }).BRIDGE_SECRET_KEY?.length, 32);
  });
}

test('Production requires a key.', () => {
  assert.throws(() => readEnvironment({ NODE_ENV: 'production' }), /BRIDGE_SECRET_KEY: required in production/);
  const key = randomBytes(32).toString('base64');
  assert.equal(readEnvironment({ NODE_ENV: 'production', BRIDGE_SECRET_KEY: key }).NODE_ENV, 'production');
});

test('Every variable has a description of one sentence.', () => {
  for (const [name, { doc }] of Object.entries(environmentVariables)) assert.match(doc, /^[A-Z`].+\.$|:.+\.$/s, name);
});

for (const address of [
  'postgres://localhost/bridge',
  'postgresql://bridge:a%23b%40c@db.internal:5432/bridge?sslmode=require',
  'postgresql:///bridge?host=/var/run/postgresql',
  'postgresql://bridge:secret@/bridge?host=/var/run/postgresql',
]) {
  test(`${address} is the URL of a database.`, () => {
    assert.equal(readEnvironment({ DATABASE_URL: address }).DATABASE_URL, address);
  });
}

for (const address of [
  'postgresql://bridge:a#b@127.0.0.1/bridge',
  'postgresql://bridge:a/b@127.0.0.1/bridge',
  'postgresql://127.0.0.1:99999/bridge',
]) {
  test(`${address} is reported as unreadable, with the expected form.`, () => {
    assert.throws(() => readEnvironment({ DATABASE_URL: address }), /DATABASE_URL: expected .*%23 is #/);
  });
}

test('An APPLY_URL with http is refused unless its host is loopback, because SSNs are typed there.', () => {
  for (const url of [
    'http://apply.example',
    'http://10.0.0.5:5172',
    'http://localhost.example',
    'http://127.example',
  ]) {
    assert.throws(() => readEnvironment({ APPLY_URL: url }), /APPLY_URL: expected an https address/, url);
  }
  for (const url of ['https://apply.example', 'http://localhost:5172', 'http://127.0.0.1:5172', 'http://[::1]:5172']) {
    assert.equal(readEnvironment({ APPLY_URL: url }).APPLY_URL, url);
  }
});

test('A misspelled variable is named with the intended one, and no value is shown.', () => {
  const source = {
    BRIDGE_POOLSIZE: '5',
    bridge_port: '1',
    BRIDGE_PROT: '1',
    APPLY_HOST: 'x',
    BRIDGE_CLIENT_ID: 'id',
    PROCESSOR_KEY: 'k',
    BRIDGE_PORT: '1',
  };
  assert.deepEqual(describeUnknownVariables(source), [
    'The bridge has no variable BRIDGE_POOLSIZE: it has no effect. Was BRIDGE_POOL_SIZE meant?',
    'The bridge has no variable bridge_port: it has no effect. Was BRIDGE_PORT meant?',
    'The bridge has no variable BRIDGE_PROT: it has no effect. Was BRIDGE_PORT meant?',
    'The bridge has no variable APPLY_HOST: it has no effect.',
  ]);
});
