import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { URI, type TOTP } from 'otpauth';
import { runCli } from '../../../src/bridge/cli/run.js';
import { readAudit } from '../../../src/bridge/domain/audit.js';
import { cleanUp } from '../../../src/bridge/domain/retention.js';
import { reEncrypt } from '../../../src/bridge/domain/keys/re-encrypt.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import type { OperatorAccess } from '../../../src/bridge/domain/operators/operators.js';
import { findSignedIn, sessionIdleMs, sessionTtlMs, signIn } from '../../../src/bridge/domain/operators/sign-in.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

const keyBytes = Buffer.alloc(32, 3);
const key = keyBytes.toString('base64');
let now = new Date('2026-11-25T12:00:00Z');
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: key }, clock: () => now });
});
after(() => bridge.stop());

async function run(words: string[], input = '') {
  let [out, err] = ['', ''];
  const output = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    readInput: () => Promise.resolve(input),
  };
  const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: key };
  const code = await runCli(['operator', ...words], variables, output);
  return { code, out, err };
}

type Access = Pick<OperatorAccess, 'password' | 'totpUrl'> & { operatorId: string; role: string };

async function create(name: string, ...more: string[]): Promise<Access> {
  const { code, out, err } = await run(['create', '--name', name, '--role', 'file', ...more, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Access;
}

let addresses = 0;
/** Signs in from a new IP address, unless one is given. */
function enter(name: string, password: string, code = '', address = `192.0.2.${String((addresses += 1))}`) {
  return signIn(bridge.context, { name, password, code }, address);
}

test('operator create prints a password that signs in, with the name in any case.', async () => {
  const { password, operatorId } = await create('Dana Cole');
  assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  const token = (await enter('dana cole', password)) ?? '';
  const session = await findSignedIn(bridge.context, token);
  assert.equal(session?.operator.operatorId, operatorId);
  assert.equal(session.mustChangePassword, true);
  const again = await run(['create', '--name', 'DANA COLE', '--role', 'view']);
  assert.deepEqual([again.code, again.err], [1, 'There is an operator of this name. See operator reset.\n']);
});

test('operator create takes a password from standard input and prints none.', async () => {
  const words = ['create', '--name', 'Sam', '--role', 'view', '--password-stdin'];
  const short = await run(words, 'short\n');
  assert.deepEqual([short.code, short.err.includes('12 to 200 characters')], [2, true]);
  const { code, out } = await run(words, 'correct horse battery\n');
  assert.deepEqual([code, out], [0, 'name: Sam\n']);
  const session = await findSignedIn(bridge.context, (await enter('Sam', 'correct horse battery')) ?? '');
  assert.equal(session?.mustChangePassword, false);
  const rows = await bridge.context.db.selectFrom('operator').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(rows), /correct horse/);
});

test('operator disable and operator reset end sessions and passwords at once.', async () => {
  const { password } = await create('Robin');
  const token = (await enter('Robin', password)) ?? '';
  assert.ok(await findSignedIn(bridge.context, token));
  assert.equal((await run(['disable', '--name', 'Robin'])).code, 0);
  assert.equal(await findSignedIn(bridge.context, token), undefined);
  assert.equal(await enter('Robin', password), undefined);
  const reset = JSON.parse((await run(['reset', '--name', 'Robin', '--json'])).out) as Access;
  assert.equal(await enter('Robin', password), undefined);
  const second = (await enter('Robin', reset.password)) ?? '';
  assert.ok(await findSignedIn(bridge.context, second));
  await run(['reset', '--name', 'Robin']);
  assert.equal(await findSignedIn(bridge.context, second), undefined);
  assert.equal((await run(['disable', '--name', 'Nobody'])).code, 1);
});

test('A session ends when it is idle, and at the end of the day regardless of its use.', async () => {
  const { password } = await create('Kim');
  const started = now;
  const idle = (await enter('Kim', password)) ?? '';
  const used = (await enter('Kim', password)) ?? '';
  try {
    for (let passed = 0; passed < sessionTtlMs; passed += sessionIdleMs / 2) {
      now = new Date(started.getTime() + passed);
      assert.ok(await findSignedIn(bridge.context, used), String(passed));
    }
    assert.equal(await findSignedIn(bridge.context, idle), undefined);
    now = new Date(started.getTime() + sessionTtlMs);
    assert.equal(await findSignedIn(bridge.context, used), undefined);
    await cleanUp(bridge.context);
    const left = await bridge.context.db.selectFrom('operator_session').selectAll().execute();
    assert.deepEqual(left, []);
  } finally {
    now = started;
  }
});

test('A code of the authenticator app works once, near its time, and only with the right password.', async () => {
  const { password, totpUrl } = await create('Lee', '--totp');
  const app = URI.parse(totpUrl) as TOTP;
  const code = () => app.generate({ timestamp: now.getTime() });
  assert.equal(await enter('Lee', password), undefined);
  assert.equal(await enter('Lee', 'wrong password!', code()), undefined);
  assert.ok(await enter('Lee', password, code()), 'the code was not used up by the wrong password');
  assert.equal(await enter('Lee', password, code()), undefined, 'a replayed code');
  const before = app.generate({ timestamp: now.getTime() - 30_000 });
  assert.equal(await enter('Lee', password, before), undefined, 'a code before the one that was used');
  now = new Date(now.getTime() + 120_000);
  const current = code();
  const both = await Promise.all([enter('Lee', password, current), enter('Lee', password, current)]);
  assert.equal(both.filter((token) => token !== undefined).length, 1, 'one code, two sign-ins at once');
});

test('The secret of an authenticator app is encrypted, and is re-encrypted with a new key.', async () => {
  const { totpUrl, operatorId } = await create('Pat', '--totp');
  const read = () =>
    bridge.context.db.selectFrom('operator').select('totp_sealed').where('id', '=', operatorId).executeTakeFirst();
  const secret = (URI.parse(totpUrl) as TOTP).secret.base32;
  const before = (await read())?.totp_sealed ?? '';
  assert.doesNotMatch(before, new RegExp(secret));
  const keys = createKeys(Buffer.alloc(32, 4), [keyBytes]);
  const tables = await reEncrypt({ db: bridge.context.db, keys });
  assert.ok((tables.find(({ table }) => table === 'operator')?.reEncrypted ?? 0) > 0);
  assert.notEqual((await read())?.totp_sealed, before);
});

test('Ten wrong sign-ins lock the IP address out, and never the operator.', async () => {
  const { password } = await create('Alex');
  for (let tried = 0; tried < 10; tried += 1) {
    assert.equal(await enter('Alex', 'wrong password!', '', '198.51.100.7'), undefined);
  }
  await assert.rejects(enter('Alex', password, '', '198.51.100.7'), { failure: 'too_many_logins' });
  assert.ok(await enter('Alex', password));
});

test('An unknown name, a wrong password and a disabled operator take the same steps.', async () => {
  const { password } = await create('Jo');
  await run(['disable', '--name', 'Jo']);
  const timed = async (name: string, typed: string) => {
    const started = performance.now();
    for (let round = 0; round < 5; round += 1) assert.equal(await enter(name, typed), undefined);
    return performance.now() - started;
  };
  await timed('Jo', password);
  const times = [await timed('Jo', password), await timed('Jo', 'wrong password!'), await timed('No such', 'x')];
  // An Argon2id hash takes some hundred times as long as the rest. Without it the duration would
  // differ by more than a factor of three.
  assert.ok(Math.max(...times) / Math.min(...times) < 3, times.map(Math.round).join(', '));
});

test('Changes of operators are in the audit trail, without names, passwords or codes.', async () => {
  const { password, operatorId } = await create('Casey Canary');
  await enter('Casey Canary', password);
  await enter('Casey Canary', 'wrong password!');
  await enter('canary-typed-as-a-name', password);
  const entries = await readAudit(bridge.context, { limit: 10_000 });
  const own = entries.filter(({ subject }) => subject === `operator:${operatorId}`).toReversed();
  assert.deepEqual(
    own.map(({ actor, action, result }) => [actor, action, result]),
    [
      ['operator', 'operator.created', 'done'],
      [`operator:${operatorId}`, 'operator.sign_in', 'done'],
      ['unknown', 'operator.sign_in', 'refused'],
    ],
  );
  assert.ok(entries.some(({ actor, subject }) => actor === 'unknown' && subject === ''));
  assert.doesNotMatch(JSON.stringify(entries) + bridge.logged.join(''), /canary|wrong password/i);
});
