import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import {
  EnvironmentError,
  environmentVariables,
  readEnvironment,
  type EnvironmentName,
} from '../../../src/bridge/config/environment.js';
import { describeUnknownVariables } from '../../../src/bridge/config/unknown-variables.js';

const valueOf = (name: EnvironmentName, text: string) => readEnvironment({ [name]: text })[name];

test('An empty environment has every default, and an empty variable counts as absent.', () => {
  // prettier-ignore
  const defaults = {
    BRIDGE_HOST: '127.0.0.1', BRIDGE_PORT: 5171, APPLY_PORT: 5172, CONSOLE_HOST: '127.0.0.1', BRIDGE_METRICS_HOST: '127.0.0.1',
    BRIDGE_SCHEMA: 'public', BRIDGE_POOL_SIZE: 10, BRIDGE_CONNECT_TIMEOUT: 5, BRIDGE_KEEPALIVE: 30,
    BRIDGE_STATEMENT_TIMEOUT: 30, BRIDGE_IDLE_TRANSACTION_TIMEOUT: 60, BRIDGE_CONNECTION_SETTINGS: true,
    BRIDGE_PREPARED_STATEMENTS: true,
    BRIDGE_TOKEN_TTL: 3_600, BRIDGE_SESSION_TTL: 86_400, BRIDGE_WEBHOOK_RETENTION_DAYS: 90,
    BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS: 365, BRIDGE_BULK_RETENTION_DAYS: 90, BRIDGE_UPDATE_RETENTION_DAYS: 1_095,
    BRIDGE_AUDIT_RETENTION_DAYS: 2_555, BRIDGE_RATE_LIMIT: 600, BRIDGE_PAGE_LIMIT: 1_200, BRIDGE_TRUSTED_PROXIES: 0, CONSOLE_TRUSTED_PROXIES: 0,
    BRIDGE_STOP_DELAY: 0, BRIDGE_WEBHOOK_RETRY_SCALE: 1, BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: false, BRIDGE_FILING: 'manual', BRIDGE_TEST_FILING: [],
    BRIDGE_FILING_DAYS: 3, BRIDGE_REQUIRE_TOTP: false, BRIDGE_STRIPE_METHODS: ['card'],
    CONSOLE_OIDC_NAME: 'single sign-on', CONSOLE_OIDC_SCOPE: 'openid profile', CONSOLE_OIDC_ROLES_CLAIM: 'roles',
    CONSOLE_OIDC_VIEW_ROLE: 'licensing-view', CONSOLE_OIDC_FILE_ROLE: 'licensing-file',
    CONSOLE_OIDC_SUPERVISE_ROLE: 'licensing-supervise',
    BRIDGE_SECOND_PERSON: [], BRIDGE_ALLOW_SAMPLE_FEES: false, LOG_LEVEL: 'info', NODE_ENV: 'development',
  };
  const empty = Object.fromEntries(Object.keys(environmentVariables).map((name) => [name, '  ']));
  for (const environment of [readEnvironment({}), readEnvironment(empty)]) {
    const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
    assert.deepEqual(given, defaults);
  }
});

test('Every wrong variable is named at once, and no value is shown.', () => {
  const wrong = {
    BRIDGE_HOST: 'a host',
    BRIDGE_PORT: '70000',
    BRIDGE_URL: 'https://user:hunter2@bridge.example',
    APPLY_URL: 'https://apply.example/path',
    DATABASE_URL: 'mysql://root:hunter2@localhost/x',
    BRIDGE_SECRET_KEY: 'hunter2',
    BRIDGE_OLD_SECRET_KEYS: `${randomBytes(32).toString('hex')},hunter2`,
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readEnvironment({ NODE_ENV: 'production', ...wrong }),
    (error: unknown) => {
      assert.ok(error instanceof EnvironmentError);
      for (const name of Object.keys(wrong)) assert.match(error.message, new RegExp(`${name}: expected `));
      assert.doesNotMatch(error.message, /hunter2|70000|loud|required in production/);
      return true;
    },
  );
});

test('The identity provider is set completely or not at all, and encrypted unless it is on this machine.', () => {
  const [issuer, id, secret] = ['https://id.example/realm', 'console', 'hunter2'];
  const complete = {
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: id,
    CONSOLE_OIDC_CLIENT_SECRET: secret,
  };
  assert.equal(readEnvironment(complete).CONSOLE_OIDC_ISSUER, issuer);
  for (const name of Object.keys(complete)) {
    const part = Object.fromEntries(Object.entries(complete).filter(([other]) => other !== name));
    assert.throws(() => readEnvironment(part), {
      message: new RegExp(`  ${name}: required with the other variables of the identity provider$`),
    });
  }
  const wrong = ['http://id.example', 'https://user:hunter2@id.example', 'https://id.example/?realm=1', 'id.example'];
  for (const address of wrong) {
    assert.throws(() => readEnvironment({ ...complete, CONSOLE_OIDC_ISSUER: address }), {
      message: /  CONSOLE_OIDC_ISSUER: expected an https address [^\n]*$/,
    });
  }
  for (const address of ['http://localhost:3000', 'http://127.0.0.1:3000/realm']) {
    assert.equal(readEnvironment({ ...complete, CONSOLE_OIDC_ISSUER: address }).CONSOLE_OIDC_ISSUER, address);
  }
  assert.throws(() => valueOf('CONSOLE_OIDC_SCOPE', 'profile email'), { message: /with openid among them/ });
});

describe('Secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const fileOf = (content: string | Buffer) => {
    const path = join(folder, randomBytes(4).toString('hex'));
    writeFileSync(path, content);
    return path;
  };
  const [key, oldKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];

  it('Keys, the client secret and the URL of the database are read from the files whose paths are given.', () => {
    const environment = readEnvironment({
      NODE_ENV: 'production',
      BRIDGE_SECRET_KEY_FILE: fileOf(`${key}\n`),
      BRIDGE_OLD_SECRET_KEYS_FILE: fileOf(oldKey),
      DATABASE_URL_FILE: fileOf('\uFEFFpostgres://bridge:hunter2@db.example/bridge\r\n'),
      CONSOLE_OIDC_ISSUER: 'https://id.example',
      CONSOLE_OIDC_CLIENT_ID: 'console',
      CONSOLE_OIDC_CLIENT_SECRET_FILE: fileOf('a client secret\n'),
    });
    assert.deepEqual(environment.BRIDGE_SECRET_KEY, Buffer.from(key, 'base64'));
    assert.deepEqual(environment.BRIDGE_OLD_SECRET_KEYS, [Buffer.from(oldKey, 'hex')]);
    assert.equal(environment.CONSOLE_OIDC_CLIENT_SECRET, 'a client secret');
    assert.match(String(environment.DATABASE_URL), /hunter2@db\.example/);
  });

  it('A file that is missing, empty, malformed or given together with its variable is named without its content.', () => {
    for (const [variables, message] of [
      [{ BRIDGE_SECRET_KEY_FILE: join(folder, 'none') }, /BRIDGE_SECRET_KEY_FILE: expected .*\(ENOENT\)$/m],
      [{ BRIDGE_SECRET_KEY_FILE: folder }, /BRIDGE_SECRET_KEY_FILE: expected .*\(EISDIR\)$/m],
      [{ BRIDGE_SECRET_KEY_FILE: fileOf('') }, /BRIDGE_SECRET_KEY_FILE: expected a file that is not empty$/m],
      [{ BRIDGE_SECRET_KEY_FILE: fileOf('hunter2') }, /BRIDGE_SECRET_KEY_FILE: expected 32 bytes/],
      [{ BRIDGE_SECRET_KEY_FILE: fileOf(Buffer.from([0xff, 0x32])) }, /BRIDGE_SECRET_KEY_FILE: .*\(not UTF-8\)$/m],
      [
        { BRIDGE_SECRET_KEY: key, BRIDGE_SECRET_KEY_FILE: fileOf(key) },
        /BRIDGE_SECRET_KEY: expected it or BRIDGE_SECRET_KEY_FILE, not both$/m,
      ],
    ] as const) {
      assert.throws(
        () => readEnvironment({ NODE_ENV: 'production', ...variables }),
        (error: unknown) => {
          assert.ok(error instanceof EnvironmentError);
          assert.match(error.message, message);
          assert.ok(!error.message.includes('hunter2') && !error.message.includes(key));
          assert.doesNotMatch(error.message, /required in production/);
          return true;
        },
      );
    }
  });

  it('A file for a variable that is no secret is unknown.', () => {
    assert.equal(describeUnknownVariables({ BRIDGE_SECRET_KEY_FILE: '/key', BRIDGE_PORT_FILE: '/port' }).length, 1);
  });
});

test('A port that Kubernetes set for a Service of the same name is reported as such, with the two ways out.', () => {
  const links = { BRIDGE_PORT: 'tcp://10.0.171.239:5171', BRIDGE_METRICS_PORT: 'tcp://[fd00::1]:9464' };
  assert.throws(
    () => readEnvironment(links),
    ({ message }: Error) => {
      const advice = 'Set it yourself, or "enableServiceLinks: false" for the pod';
      assert.ok(message.includes(`BRIDGE_PORT: set by Kubernetes for the Service "bridge". ${advice}`), message);
      assert.ok(message.includes('BRIDGE_METRICS_PORT: set by Kubernetes for the Service "bridge-metrics"'), message);
      assert.doesNotMatch(message, /10\.0|fd00/);
      return true;
    },
  );
});

const year = 31_536_000;
for (const [name, least, most] of [
  ['BRIDGE_PORT', 0, 65_535],
  ['BRIDGE_POOL_SIZE', 2, 1_000],
  ['BRIDGE_CONNECT_TIMEOUT', 1, 300],
  ['BRIDGE_KEEPALIVE', 0, 7_200],
  ['BRIDGE_STATEMENT_TIMEOUT', 0, 3_600],
  ['BRIDGE_IDLE_TRANSACTION_TIMEOUT', 0, 3_600],
  ['BRIDGE_TOKEN_TTL', 1, year],
  ['BRIDGE_SESSION_TTL', 1, year],
  ['BRIDGE_RETENTION_DAYS', 90, 36_500],
  ['BRIDGE_AUDIT_RETENTION_DAYS', 0, 36_500],
  ['BRIDGE_RATE_LIMIT', 1, 1_000_000],
  ['BRIDGE_PAGE_LIMIT', 1, 1_000_000],
  ['BRIDGE_TRUSTED_PROXIES', 0, 10],
  ['CONSOLE_TRUSTED_PROXIES', 0, 10],
  ['BRIDGE_STOP_DELAY', 0, 300],
] as const) {
  test(`${name} is a whole number from ${least} to ${most}.`, () => {
    for (const right of [least, most]) assert.equal(valueOf(name, String(right)), right);
    for (const wrong of [String(least - 1), String(most + 1), '1.5', '1e2', '0x9']) {
      assert.throws(() => valueOf(name, wrong), /expected a whole number from/, wrong);
    }
  });
}

const key = randomBytes(32);
const [in64, inUrl, inHex] = (['base64', 'base64url', 'hex'] as const).map((form) => key.toString(form));
// prettier-ignore
const forms: [name: EnvironmentName, right: (string | undefined)[], wrong: string[]][] = [
  ['BRIDGE_HOST', ['0.0.0.0', '::1', 'bridge.internal'], ['a host', 'http://x']],
  ['BRIDGE_URL', ['http://b.example', 'https://b.example:8443'], ['ftp://b.example', 'https://b.example/?a', 'https://u@b.example']],
  ['APPLY_URL', ['https://a.example', 'http://localhost:5172', 'http://a.localhost', 'http://127.0.0.1:5172', 'http://[::1]:5172'],
    ['http://a.example', 'http://10.0.0.5:5172', 'http://localhost.example', 'http://127.example']],
  ['CONSOLE_URL', ['https://console.example'], ['http://console.example']],
  ['DATABASE_URL', ['postgres://localhost/bridge', 'postgresql://bridge:a%23b%40c@db.internal:5432/bridge?sslmode=require',
    'postgresql:///bridge?host=/var/run/postgresql', 'postgresql://bridge:secret@/bridge?host=/var/run/postgresql'],
    ['postgresql://bridge:a#b@127.0.0.1/x', 'postgresql://bridge:a/b@127.0.0.1/x', 'postgresql://127.0.0.1:99999/x', 'mysql://localhost/x']],
  ['BRIDGE_SCHEMA', ['_a1', 'a'.repeat(56)], ['Public', '1a', 'a'.repeat(57), 'public; drop table agency']],
  ['BRIDGE_CONNECTION_SETTINGS', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['BRIDGE_PREPARED_STATEMENTS', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['BRIDGE_SECRET_KEY', [in64, inUrl, inHex, inHex?.toUpperCase()],
    [key.subarray(1).toString('base64'), key.subarray(1).toString('hex'), `${String(inUrl)}A`, '!'.repeat(43)]],
  ['BRIDGE_WEBHOOK_RETRY_SCALE', ['0.001', '.5', '100'], ['0', '-1', '100.1', '1e-3']],
  ['BRIDGE_FILING', ['manual', 'none'], ['automatic']],
  ['BRIDGE_TEST_FILING', ['simulated', 'manual', 'TX', 'TX, CA'], ['none', 'tx', 'TX,XX', 'manual,TX']],
  ['BRIDGE_STRIPE_SECRET_KEY', ['sk_live_1a', 'rk_live_1a'], ['sk_test_1a', 'pk_live_1a', 'whsec_1a', 'sk_live_', 'sk_live_1 a']],
  ['BRIDGE_STRIPE_TEST_SECRET_KEY', ['sk_test_1a', 'rk_test_1a'], ['sk_live_1a', 'rk_live_1a']],
  ['BRIDGE_STRIPE_WEBHOOK_SECRET', ['whsec_1a'], ['sk_live_1a', 'whsec_']],
  ['BRIDGE_STRIPE_METHODS', ['card', 'bank_account', 'card, bank_account'], ['ach', 'card,', 'card,bank_account,card']],
  ['BRIDGE_STRIPE_API_URL', ['http://127.0.0.1:12111', 'https://localhost'], ['https://api.stripe.com', 'http://10.0.0.5', 'http://localhost.example']],
  ['LOG_LEVEL', ['silent', 'fatal', 'error', 'warn', 'info', 'debug'], ['trace', 'INFO']],
  ['BRIDGE_OPERATOR_NAME', ['n'.repeat(80), 'Fernhill & Söhne'], ['n'.repeat(81), 'a\u0007b']],
  ['BRIDGE_OPERATOR_LOGO', ['/a/logo.svg', '/a/logo.PNG'], ['/a/logo.gif', '/a/svg']],
  ['BRIDGE_OPERATOR_PRIVACY_URL', ['https://a.example/privacy', 'http://localhost/x'],
    ['http://a.example', 'https://u:p@a.example', 'https://u@a.example', 'https://:p@a.example', 'javascript:1', 'a.example']],
  ['BRIDGE_OPERATOR_PHONE', ['555-0100', '+1 (512) 555.0100', '1'.repeat(15)], ['555010', '1'.repeat(16), '512 555 0100 x1', '512+5550100']],
  ['BRIDGE_OPERATOR_EMAIL', ['help@f.example', `${'a'.repeat(64)}@b.co`], ['help', 'a b@c.example', `${'a'.repeat(65)}@b.co`, 'a@b', 'a@b.c']],
  [
    'BRIDGE_DOCUMENTS',
    ['s3://bucket', 's3://my.bucket-1/a/b_c/'],
    ['bucket', 's3://Bucket', 's3://b', 's3://bucket//a', 's3://bucket/a?b', 's3://key:secret@bucket', 'https://bucket'],
  ],
  [
    'BRIDGE_SCANNER',
    ['clamav://av', 'clamav://[::1]:3310', 'clamav+unix:///run/clamav/clamd.ctl'],
    ['av:3310', 'clamav://', 'clamav://av/x', 'clamav://a:b@av', 'clamav+unix://av/run', 'clamav+unix:///', 'http://av'],
  ],
];
for (const [name, right, wrong] of forms) {
  test(`${name} has the form that its error names.`, () => {
    for (const text of right) assert.notEqual(valueOf(name, text ?? ''), undefined, text);
    for (const text of wrong) assert.throws(() => valueOf(name, text), new RegExp(`${name}: expected `), text);
  });
}

test('A bucket, its prefix and the address of a scanner are read from their URLs.', () => {
  assert.deepEqual(valueOf('BRIDGE_DOCUMENTS', 's3://bucket'), { bucket: 'bucket', prefix: '' });
  assert.deepEqual(valueOf('BRIDGE_DOCUMENTS', 's3://bucket/a/b/'), { bucket: 'bucket', prefix: 'a/b/' });
  assert.deepEqual(valueOf('BRIDGE_SCANNER', 'clamav://av'), { host: 'av', port: 3_310 });
  assert.deepEqual(valueOf('BRIDGE_SCANNER', 'clamav://[::1]:9'), { host: '::1', port: 9 });
  assert.deepEqual(valueOf('BRIDGE_SCANNER', 'clamav+unix:///run/clamd.ctl'), { path: '/run/clamd.ctl' });
});

test('A key is read from base64 and hex, and older keys as a list.', () => {
  for (const form of ['base64', 'base64url', 'hex'] as const) {
    assert.deepEqual(valueOf('BRIDGE_SECRET_KEY', key.toString(form)), key);
  }
  const older = [randomBytes(32), randomBytes(32)];
  const text = older.map((each) => each.toString('base64')).join(' , ');
  assert.deepEqual(valueOf('BRIDGE_OLD_SECRET_KEYS', text), older);
});

test('Production requires a key, unless an adapter may provide it or the command needs none.', () => {
  const production = { NODE_ENV: 'production' };
  assert.throws(() => readEnvironment(production), /BRIDGE_SECRET_KEY: required in production/);
  assert.doesNotThrow(() => readEnvironment(production, { needsKey: false }));
  assert.doesNotThrow(() => readEnvironment({ ...production, BRIDGE_ADAPTERS: './a.mjs' }));
  assert.doesNotThrow(() => readEnvironment({ ...production, BRIDGE_SECRET_KEY: key.toString('hex') }));
});

test('The separate key of test mode cannot be the key of live mode.', () => {
  const [hex, base64] = [key.toString('hex'), key.toString('base64')];
  assert.throws(
    () => readEnvironment({ BRIDGE_SECRET_KEY: hex, BRIDGE_TEST_SECRET_KEY: base64 }),
    /BRIDGE_TEST_SECRET_KEY: expected another key than BRIDGE_SECRET_KEY/,
  );
});

test('Stripe needs a key of a mode that it serves, which may be in a file.', () => {
  const payment = { BRIDGE_PAYMENT: 'stripe' };
  assert.throws(
    () => readEnvironment(payment),
    /BRIDGE_STRIPE_SECRET_KEY: required with BRIDGE_PAYMENT, or BRIDGE_STRIPE_TEST/,
  );
  assert.throws(
    () => readEnvironment({ ...payment, BRIDGE_STRIPE_SECRET_KEY: 'sk_test_hunter2' }),
    ({ message }: Error) =>
      /^ {2}BRIDGE_STRIPE_SECRET_KEY: expected a key that starts with sk_live_ or rk_live_$/m.test(message) &&
      !/hunter2|required/.test(message),
  );
  assert.equal(readEnvironment({ ...payment, BRIDGE_STRIPE_TEST_SECRET_KEY: 'rk_test_1' }).BRIDGE_PAYMENT, 'stripe');
  assert.throws(() => readEnvironment({ ...payment, BRIDGE_STRIPE_SECRET_KEY_FILE: '/no/such/file' }), /ENOENT/);
  assert.throws(() => readEnvironment({ BRIDGE_PAYMENT: 'paypal' }), /BRIDGE_PAYMENT: expected stripe/);
});

test('Production requires https at BRIDGE_URL, except on a loopback host.', () => {
  const given = (url: string, mode = 'production') =>
    readEnvironment({ NODE_ENV: mode, BRIDGE_SECRET_KEY: key.toString('hex'), BRIDGE_URL: url }).BRIDGE_URL;
  for (const url of ['http://bridge.example', 'http://10.0.0.1:5171', 'http://localhost.example']) {
    assert.throws(() => given(url), /BRIDGE_URL: expected an https address in production/, url);
    assert.equal(given(url, 'development'), url);
  }
  for (const url of ['https://bridge.example', 'http://127.0.0.1:5171', 'http://localhost'])
    assert.equal(given(url), url);
});

test('Every variable has a description of one sentence.', () => {
  for (const [name, { doc }] of Object.entries(environmentVariables)) assert.match(doc, /^[A-Z`].+\.$|:.+\.$/s, name);
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
  const ofKubernetes = { BRIDGE_SERVICE_HOST: '', BRIDGE_SERVICE_PORT_HTTP: '', BRIDGE_PORT_5171_TCP_ADDR: '' };
  assert.deepEqual(describeUnknownVariables(ofKubernetes), []);
  assert.deepEqual(describeUnknownVariables(source), [
    'The bridge has no variable BRIDGE_POOLSIZE: it has no effect. Was BRIDGE_POOL_SIZE meant?',
    'The bridge has no variable bridge_port: it has no effect. Was BRIDGE_PORT meant?',
    'The bridge has no variable BRIDGE_PROT: it has no effect. Was BRIDGE_PORT meant?',
    'The bridge has no variable APPLY_HOST: it has no effect.',
  ]);
});

test('A mail server is a URL, with the port of its kind, and requires TLS unless it is on loopback.', () => {
  const from = { BRIDGE_MAIL_FROM: 'Example Licensing <licensing@example.com>' };
  const serverOf = (url: string) => readEnvironment({ ...from, BRIDGE_SMTP_URL: url }).BRIDGE_SMTP_URL;
  const server = { host: 'mail.example', port: 587, isTlsFirst: false, requiresTls: true, credentials: undefined };
  assert.deepEqual(serverOf('smtp://mail.example'), server);
  assert.deepEqual(serverOf('smtps://user%40example.com:p%2Fw@mail.example/'), {
    ...server,
    port: 465,
    isTlsFirst: true,
    credentials: { user: 'user@example.com', password: 'p/w' },
  });
  const local = { ...server, port: 1_025, requiresTls: false };
  assert.deepEqual(serverOf('smtp://localhost:1025'), { ...local, host: 'localhost' });
  assert.deepEqual(serverOf('smtp://[::1]:1025'), { ...local, host: '::1' });
  assert.deepEqual(readEnvironment(from).BRIDGE_MAIL_FROM, {
    name: 'Example Licensing',
    address: 'licensing@example.com',
  });
  for (const wrong of [
    'mail.example',
    'https://mail.example',
    'smtp://',
    'smtp://user@mail.example',
    'smtp://mail.example?secure=false',
    'smtp://mail.example/path',
  ]) {
    assert.throws(() => serverOf(wrong), /BRIDGE_SMTP_URL: expected a URL such as/, wrong);
  }
  for (const wrong of ['Example', 'a@b', 'Example <a@b.example>, c@d.example', 'Example\r\nBcc: <a@b.example>']) {
    assert.throws(() => valueOf('BRIDGE_MAIL_FROM', wrong), /BRIDGE_MAIL_FROM: expected an address such as/, wrong);
  }
  assert.throws(
    () => readEnvironment({ BRIDGE_SMTP_URL: 'smtp://mail.example' }),
    /BRIDGE_MAIL_FROM: required with BRIDGE_SMTP_URL/,
  );
});
