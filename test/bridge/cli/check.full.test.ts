import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';
import type { Finding } from '../../../src/bridge/service/check/finding.js';
import { testDatabase } from '../../support/database.js';
import { startOidcIssuer } from '../../support/oidc-issuer.js';
import { s3Bucket, s3Credentials, startS3Server } from '../../support/s3-server.js';
import { copyOfRelease } from '../catalogue/release-copy.js';
import { runCommand, runHere } from '../process.js';

const key = randomBytes(32).toString('base64');
// The AWS SDK reads the variables of the process.
Object.assign(process.env, s3Credentials);

/** A database, and a bucket on a server. */
async function setUp(t: TestContext) {
  const [database, s3] = await Promise.all([testDatabase(), startS3Server()]);
  t.after(() => Promise.all([database.stop(), s3.stop()]));
  // Without the parameters of the tests' server, about which the check has a note.
  const url = new URL(database.url);
  url.search = '';
  const variables = { DATABASE_URL: url.href, BRIDGE_SECRET_KEY: key };
  return { s3, variables, run: (...args: string[]) => runHere(args, variables) };
}

/** A server that finds every document clean. Resolves with its address. */
async function startScanner(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      if (bytes.subarray(-4).every((byte) => byte === 0)) socket.end('stream: OK\0');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `clamav://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A mail server on loopback. Resolves with its variables. */
async function startMailServer(t: TestContext): Promise<Record<string, string>> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { BRIDGE_SMTP_URL: `smtp://127.0.0.1:${port}`, BRIDGE_MAIL_FROM: 'licensing@fernhill.example' };
}

/** A module of adapters with the text of a payment processor. */
async function moduleOf(t: TestContext, check: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-check-'));
  t.after(() => rm(folder, { recursive: true }));
  const methods = 'serves: () => true, authorize() {}, lookUp() {}, capture() {}, void() {}, refund() {}';
  const text = `export default { paymentProcessor: { cardEntry: 'page', ${methods}, ${check} } };`;
  await writeFile(join(folder, 'adapters.mjs'), text);
  return join(folder, 'adapters.mjs');
}

/** Runs `check --json`, and resolves with its findings by subject. */
async function check(variables: Record<string, string>, run: typeof runHere = runHere) {
  const { code, out, err } = await run(['check', '--json'], variables);
  assert.doesNotMatch(`${out}${err}`, /S3RVER|hunter2|wombat/);
  const { ready, findings } = JSON.parse(out) as { ready: boolean; findings: Finding[] };
  assert.equal(code, ready ? 0 : 1);
  const of = (subject: string) => findings.filter((each) => each.subject === subject);
  return { code, err, findings, of, statusOf: (subject: string) => of(subject).map(({ status }) => status) };
}

/** In a separate process, whose other variables are those of a development machine. */
function runInProcess(args: string[], variables: Record<string, string> = {}) {
  const development = { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'false', BRIDGE_ALLOW_SAMPLE_FEES: 'false' };
  return runCommand(args, { ...development, ...variables });
}

test('Everything that a new bridge lacks for live mode is named, and the exit code is 1.', async (t) => {
  const { variables } = await setUp(t);
  const { findings, statusOf, code, err } = await check(variables);
  const missing = findings.filter(({ status }) => status === 'missing').map(({ subject }) => subject);
  const expected = ['APPLY_URL', 'BRIDGE_URL', 'Console', 'Fees', 'Operator', 'Operators', 'Production'];
  assert.deepEqual(missing.sort(), expected);
  for (const subject of ['Mail', 'Payment', 'Retention', 'Scanner'])
    assert.deepEqual(statusOf(subject), ['note'], subject);
  for (const subject of ['Database', 'Key', 'Documents']) assert.deepEqual(statusOf(subject), ['ok'], subject);
  assert.deepEqual(statusOf('Authenticator'), [], 'there is no operator yet');
  assert.deepEqual([code, err], [1, 'Not ready for live mode: 7 missing, 0 failed.\n']);
});

test('A bridge with all of it is ready: each connection was tried, and no probe is left.', async (t) => {
  const { s3, variables, run } = await setUp(t);
  const release = copyOfRelease(t);
  release.change('release', (content) => ({ ...content, version: '2000.1.1' }));
  const verified = { sample: false, confirmed: { by: 'A test', on: '2000-01-01' } };
  release.change('jurisdictions', (all) => {
    for (const { fees, processingFee } of all) {
      for (const fee of [...fees, processingFee]) Object.assign(fee, verified);
    }
  });
  assert.equal((await run('catalogue', 'import', release.folder)).code, 0);
  assert.equal((await run('operator', 'create', '--name', 'Dana', '--role', 'file', '--totp')).code, 0);
  assert.equal((await run('registry', 'generate', '--count', '1', '--mode', 'live')).code, 0);
  const ready = {
    ...variables,
    NODE_ENV: 'production',
    BRIDGE_URL: 'https://bridge.example.com',
    APPLY_URL: 'https://apply.example.com',
    BRIDGE_TRUSTED_PROXIES: '1',
    BRIDGE_METRICS_PORT: '9464',
    BRIDGE_RETENTION_DAYS: '365',
    CONSOLE_PORT: '5173',
    CONSOLE_URL: 'http://console.localhost:5173',
    BRIDGE_OPERATOR_NAME: 'Fernhill',
    BRIDGE_OPERATOR_PRIVACY_URL: 'https://fernhill.example/privacy',
    BRIDGE_OPERATOR_TERMS_URL: 'https://fernhill.example/terms',
    BRIDGE_OPERATOR_PHONE: '512-555-0100',
    BRIDGE_DOCUMENTS: `s3://${s3Bucket}/bridge`,
    BRIDGE_S3_ENDPOINT: s3.endpoint,
    BRIDGE_SCANNER: await startScanner(t),
    ...(await startMailServer(t)),
    BRIDGE_ADAPTERS: await moduleOf(t, 'async check() {}'),
  };
  const { findings, of } = await check(ready, runInProcess);
  assert.deepEqual(
    findings.filter(({ status }) => status !== 'ok').map(({ subject }) => subject),
    // Of some states no page publishes a fee.
    ['Fees'],
  );
  assert.match(of('Documents')[0]?.text ?? '', /^A probe was stored, read and removed\.$/);
  assert.match(of('Database')[0]?.text ?? '', /^PostgreSQL \d/);
  assert.deepEqual(await s3.objects(), []);
  assert.deepEqual(
    s3.requests.map((request) => request.split(' ')[0]),
    ['PUT', 'GET', 'DELETE', 'GET'],
  );
  // For people, one line each.
  const { out } = await runHere(['check'], ready);
  assert.equal(out.trimEnd().split('\n').length, findings.length + 2);
  assert.match(out, /\n\nReady for live mode\.\n$/);
  assert.match(out, /^ok {7}Payment processor {2}It answers\.$/m);
});

test('A connection that cannot be used has its reason, what to do, and no secret, and the others are still tried.', async (t) => {
  const { s3, variables } = await setUp(t);
  s3.failNext('denied', 'denied');
  const { of, statusOf } = await check({
    ...variables,
    DATABASE_URL: 'postgresql://bridge:hunter2@127.0.0.1:1/bridge',
    BRIDGE_DOCUMENTS: `s3://${s3Bucket}`,
    BRIDGE_S3_ENDPOINT: s3.endpoint,
    BRIDGE_SCANNER: 'clamav://127.0.0.1:1',
    BRIDGE_SMTP_URL: 'smtp://licensing:hunter2@127.0.0.1:1',
    BRIDGE_MAIL_FROM: 'licensing@fernhill.example',
    BRIDGE_ADAPTERS: await moduleOf(t, "async check() { throw new Error('wombat'); }"),
  });
  for (const [subject, text] of [
    ['Database', /ECONNREFUSED/],
    ['Documents', /failed \(AccessDenied\)\. Allow s3:GetObject/],
    ['Scanner', /failed \(ECONNREFUSED\)\. Start clamd/],
    [
      'Mail server',
      /^mailer\.check failed \(ESOCKET\)\. Start the mail server at 127\.0\.0\.1:1, .+, or correct BRIDGE_SMTP_URL\.$/,
    ],
    ['Payment processor', /^paymentProcessor\.check failed \(unknown\)\.$/],
  ] as const) {
    assert.deepEqual(statusOf(subject), ['failed'], subject);
    assert.match(of(subject)[0]?.text ?? '', text);
  }
  assert.deepEqual(statusOf('Key'), ['ok']);
});

test('Another key than that of the database, and tables that are not up to date, are failures.', async (t) => {
  const { variables, run } = await setUp(t);
  assert.equal((await run('agency', 'list')).code, 0);
  const other = await check({ ...variables, BRIDGE_SECRET_KEY: randomBytes(32).toString('base64') });
  assert.match(other.of('Key')[0]?.text ?? '', /is not the key that this database was used with/);
  const empty = await testDatabase({ migrated: false });
  t.after(empty.stop);
  const { of } = await check({ ...variables, DATABASE_URL: empty.url });
  assert.match(of('Database')[0]?.text ?? '', /Run "licensing-bridge migrate"/);
});

test('A key that is missing in production, a module of adapters that cannot be loaded, and settings for development are named.', async (t) => {
  const { variables } = await setUp(t);
  const { of, statusOf } = await check({
    DATABASE_URL: variables.DATABASE_URL,
    NODE_ENV: 'production',
    BRIDGE_ADAPTERS: '/nowhere/adapters.mjs',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    BRIDGE_STRIPE_API_URL: 'http://127.0.0.1:12111',
    BRIDGE_FILING: 'none',
    BRIDGE_TEST_FILING: 'TX,CA',
    BRIDGE_DOCUMENT: 's3://bucket',
  });
  assert.deepEqual([statusOf('Key'), statusOf('Adapters'), statusOf('Database')], [['missing'], ['failed'], ['ok']]);
  assert.match(of('Adapters')[0]?.text ?? '', /\/nowhere\/adapters\.mjs does not exist/);
  assert.match(of('Development')[0]?.text ?? '', /^Remove BRIDGE_ALLOW_SAMPLE_FEES/);
  assert.match(of('Development')[1]?.text ?? '', /^Remove BRIDGE_STRIPE_API_URL/);
  assert.match(of('Filing')[0]?.text ?? '', /40019/);
  assert.match(of('Training')[0]?.text ?? '', /^Set CONSOLE_PORT, or remove BRIDGE_TEST_FILING/);
  assert.ok(of('Variables').some(({ text }) => text.includes('BRIDGE_DOCUMENT')));
});

test('A console over http on a host with other ports is told that they receive its cookie.', async (t) => {
  const { variables } = await setUp(t);
  for (const [url, status] of [
    ['', 'note'],
    ['http://127.0.0.1:5173', 'note'],
    ['http://console.localhost:5173', 'ok'],
    ['https://console.example.com', 'ok'],
  ] as const) {
    const { statusOf } = await check({ ...variables, CONSOLE_PORT: '5173', CONSOLE_URL: url });
    assert.deepEqual(statusOf('Console cookie'), [status], url);
  }
});

test('Fees that are verified for one application type of one state are named, by the rule of createSession.', async (t) => {
  const { variables, run } = await setUp(t);
  const release = copyOfRelease(t);
  release.change('release', (content) => ({ ...content, version: '2000.1.1' }));
  const confirm = ['catalogue', 'confirm', release.folder, '--state', 'TX', '--by', 'A test', '--part', 'fees'];
  assert.equal((await run(...confirm, '--type', 'new')).code, 0);
  assert.equal((await run('catalogue', 'import', release.folder)).code, 0);
  const { of } = await check(variables);
  assert.deepEqual(of('Fees'), [
    {
      status: 'note',
      subject: 'Fees',
      text: `The catalogue 2000.1.1 has verified fees for new: TX; renewal: no state; reinstatement: no state; amendment: no state. Other live sessions are rejected (40018).`,
    },
  ]);
});

test('An identity provider that does not answer is a failure, and with one no operator has to be created.', async (t) => {
  const { variables } = await setUp(t);
  const issuer = await startOidcIssuer();
  t.after(() => issuer.stop());
  issuer.register('https://console.example.com');
  const withIssuer = {
    ...variables,
    ...issuer.environment,
    CONSOLE_PORT: '5173',
    CONSOLE_URL: 'https://console.example.com',
  };
  const { statusOf } = await check(withIssuer);
  assert.deepEqual([statusOf('Single sign-on'), statusOf('Operators')], [['ok'], ['note']]);
  issuer.isDown = true;
  const [failed] = (await check(withIssuer)).of('Single sign-on');
  assert.equal(failed?.status, 'failed');
  assert.match(
    failed.text,
    /^The identity provider was not found \(.+\)\. Start it, or correct CONSOLE_OIDC_ISSUER\.$/,
  );
  assert.deepEqual((await check(variables)).statusOf('Single sign-on'), []);
});

test('Operators who sign in with a password alone are counted, unless the bridge requires a code.', async (t) => {
  const { variables, run } = await setUp(t);
  for (const [name, ...totp] of [['Dana'], ['Robin', '--totp']]) {
    assert.equal((await run('operator', 'create', '--name', name ?? '', '--role', 'file', ...totp)).code, 0);
  }
  const [alone] = (await check(variables)).of('Authenticator');
  assert.equal(alone?.status, 'missing');
  assert.match(alone.text, /^1 of 2 operators sign in with a password alone\. Set BRIDGE_REQUIRE_TOTP=true\.$/);
  assert.deepEqual((await check({ ...variables, BRIDGE_REQUIRE_TOTP: 'true' })).statusOf('Authenticator'), ['ok']);
});

test('Stripe without its webhook secret, and a registry without producers, are noted.', async (t) => {
  const { variables } = await setUp(t);
  const stripe = { BRIDGE_PAYMENT: 'stripe', BRIDGE_STRIPE_SECRET_KEY: 'rk_live_4eC39HqLyjWDarjtT1zdp7dc' };
  const api = { BRIDGE_STRIPE_API_URL: 'http://127.0.0.1:9' };
  const { statusOf } = await check({ ...variables, ...stripe, ...api });
  assert.deepEqual([statusOf('Stripe webhook'), statusOf('Registry')], [['note'], ['note']]);
  const secret = { BRIDGE_STRIPE_WEBHOOK_SECRET: 'whsec_abcdefghijklmnop' };
  assert.deepEqual((await check({ ...variables, ...stripe, ...api, ...secret })).statusOf('Stripe webhook'), ['ok']);
});
