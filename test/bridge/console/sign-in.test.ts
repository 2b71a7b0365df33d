import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TOTP, Secret } from 'otpauth';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { mustEnrol } from '../../../src/bridge/domain/operators/enrolment.js';
import { disableOperator, enableOperator, resetOperator } from '../../../src/bridge/domain/operators/operators.js';
import { sessionIdleMs, sessionTtlMs } from '../../../src/bridge/domain/operators/operator-session.js';
import { generatePassword, hashPassword, verifyPassword } from '../../../src/bridge/domain/operators/password.js';
import {
  changePassword,
  findSignedIn,
  reauthenticate,
  signIn,
  signOut,
  type OperatorSession,
} from '../../../src/bridge/domain/operators/sign-in.js';
import { newTotpSecret, totpStepOf } from '../../../src/bridge/domain/operators/totp.js';
import { lockVerified, takeTotpStep, updateOperator } from '../../../src/bridge/store/operators/operator-store.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { cheapHash, operatorPassword, placeOperator, placeSession, type PlacedOperator } from './operator-rows.js';

const start = new Date('2026-11-25T12:00:00Z');
let now = start;
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ clock: () => now });
});
after(() => bridge.stop());

const later = (ms: number) => new Date(start.getTime() + ms);
let count = 0;
const newAddress = () => `192.0.2.${(count += 1)}`;

/** An operator with a name that no other test uses. */
async function setup(options: PlacedOperator = {}) {
  now = start;
  const name = `Operator ${(count += 1)}`;
  const operator = await placeOperator(bridge.context, name, options);
  const { context } = bridge;
  const rowOf = () => context.db.selectFrom('operator').selectAll().where('id', '=', operator.id).executeTakeFirst();
  return {
    ...operator,
    name,
    rowOf,
    /** A session without a sign-in. */
    open: () => placeSession(context, operator.id),
    sessionOf: async (token: string) => (await findSignedIn(context, token)) ?? assert.fail('The session has ended.'),
    isOpen: async (token: string) => (await findSignedIn(context, token)) !== undefined,
    enter: (password = operatorPassword, code = '', address = newAddress()) =>
      signIn(context, { name, password, code }, address),
    /** Its audit entries, oldest first. */
    async audit() {
      const entries = await readAudit(context, { scope: 'all', subject: `operator:${operator.id}`, limit: 100 });
      return entries.toReversed().map(({ actor, action, result }) => [actor, action, result]);
    },
  };
}

const change = (session: OperatorSession, current: string, replacement: string, address = newAddress()) =>
  changePassword(bridge.context, session, { current, replacement }, address);

test('A change of the password ends the other sessions of the operator, and no session of others.', async () => {
  const [own, colleague] = [await setup(), await setup()];
  const [here, elsewhere, theirs] = [await own.open(), await own.open(), await colleague.open()];
  await updateOperator(bridge.context.db, own.id, { isPasswordTemporary: true });
  const before = await colleague.rowOf();
  const session = await own.sessionOf(here);
  assert.equal(session.mustChangePassword, true);
  assert.equal(await change(session, operatorPassword, 'another sentence'), 'changed');
  assert.deepEqual(
    [await own.isOpen(here), await own.isOpen(elsewhere), await colleague.isOpen(theirs)],
    [true, false, true],
  );
  assert.equal((await own.sessionOf(here)).mustChangePassword, false);
  assert.deepEqual(await colleague.rowOf(), before);
  assert.deepEqual(await own.audit(), [[`operator:${own.id}`, 'operator.password_changed', 'done']]);
  assert.deepEqual([await own.enter(), typeof (await own.enter('another sentence'))], [undefined, 'string']);
});

test('Ten wrong current passwords lock the IP address out of changes and sign-ins; right ones do not count.', async () => {
  const [first, second] = [await setup(), await setup()];
  const { enter, audit } = first;
  const address = newAddress();
  const sessions = await Promise.all([first, second].map(async ({ open, sessionOf }) => sessionOf(await open())));
  const [session = assert.fail()] = sessions;
  const many = (length: number, current: string) =>
    Promise.all(
      sessions.flatMap((each) => Array.from({ length }, () => change(each, current, operatorPassword, address))),
    );
  assert.deepEqual([...new Set(await many(6, operatorPassword))], ['unchanged']);
  assert.deepEqual([...new Set(await many(5, 'a guess'))], ['wrong']);
  await assert.rejects(change(session, operatorPassword, 'another sentence', address), { failure: 'too_many_logins' });
  await assert.rejects(enter(operatorPassword, '', address), { failure: 'too_many_logins' });
  assert.deepEqual(await audit(), [], 'nothing was changed');
  assert.ok(await enter());
});

test('Five wrong current passwords in a session refuse further ones from any address, and no sign-in.', async () => {
  const { open, sessionOf, enter } = await setup();
  const session = await sessionOf(await open());
  for (let tried = 0; tried < 5; tried += 1)
    assert.equal(await change(session, 'a guess', 'another sentence'), 'wrong');
  await assert.rejects(change(session, operatorPassword, 'another sentence'), { failure: 'too_many_logins' });
  assert.ok(await enter());
});

test('A right sign-in, and one that fails with an error, do not count as failed.', async () => {
  const { id, enter } = await setup({ hasTotp: true });
  const address = newAddress();
  await updateOperator(bridge.context.db, id, {
    totpEncrypted: bridge.context.keys.of('live').encrypt('x', 'of another row'),
  });
  for (let tried = 0; tried < 11; tried += 1) await assert.rejects(enter(operatorPassword, '123456', address), /auth/);
  await updateOperator(bridge.context.db, id, { totpEncrypted: null });
  const all = await Promise.all(Array.from({ length: 12 }, () => enter(operatorPassword, '', address)));
  assert.ok(
    all.every((token) => token !== undefined),
    'also at once',
  );
});

for (const [what, change] of [
  ['reset', { passwordHash: await cheapHash('another sentence') }],
  ['disabled', { disabledAt: start }],
] as const) {
  test(`An operator who is ${what} while the password is verified is not signed in.`, async () => {
    const { id, name, audit } = await setup();
    const { context } = bridge;
    let onVerified: () => void = () => undefined;
    const verified = new Promise<void>((resolve) => (onVerified = resolve));
    // The clock is read after the verification. The sign-in then waits for the lock of the change.
    const clock = () => {
      onVerified();
      return now;
    };
    let entering: Promise<string | undefined> | undefined;
    await context.db.transaction().execute(async (trx) => {
      await updateOperator(trx, id, change);
      entering = signIn({ ...context, clock }, { name, password: operatorPassword, code: '' }, newAddress());
      await verified;
    });
    assert.equal(await entering, undefined);
    assert.deepEqual(await audit(), []);
    const sessions = await context.db.selectFrom('operatorSession').where('operatorId', '=', id).execute();
    assert.equal(sessions.length, 0);
  });
}

test('The result of a verified password is written only for the current password of an enabled operator.', async () => {
  const { id, rowOf } = await setup();
  const passwordHash = (await rowOf())?.passwordHash ?? '';
  const lock = (hash: string, operatorId = id) =>
    bridge.context.db.transaction().execute((trx) => lockVerified(trx, { id: operatorId, passwordHash: hash }));
  assert.deepEqual(
    [await lock(passwordHash), await lock('an earlier hash'), await lock(passwordHash, 'opr_none')],
    [true, false, false],
  );
  await updateOperator(bridge.context.db, id, { disabledAt: now });
  assert.equal(await lock(passwordHash), false);
});

for (const [what, meanwhile] of [
  [
    'a reset',
    (name: string) => resetOperator(bridge.context, name, { password: 'of the reset', totp: 'keep', enable: false }),
  ],
  ['a disablement', (name: string) => disableOperator(bridge.context, name)],
  ['a sign-out', (_: string, session: OperatorSession) => signOut(bridge.context, session)],
] as const) {
  test(`A change of the password that ${what} overtakes while it is hashed changes nothing.`, async () => {
    const { name, open, sessionOf, rowOf, isOpen } = await setup();
    const token = await open();
    const session = await sessionOf(token);
    let after: Awaited<ReturnType<typeof rowOf>>;
    const { limiter } = bridge.context;
    // Called after the current password was verified, and before the new one is hashed.
    const giveBack: typeof limiter.giveBack = async (...point) => {
      await limiter.giveBack(...point);
      await meanwhile(name, session);
      after = await rowOf();
    };
    const context = { ...bridge.context, limiter: { ...limiter, giveBack } };
    const typed = { current: operatorPassword, replacement: 'of the intruder' };
    assert.equal(await changePassword(context, session, typed, newAddress()), 'ended');
    assert.deepEqual(await rowOf(), after);
    assert.equal(await isOpen(token), false);
  });
}

test('A reset overrides a change of the password that commits during the reset.', async () => {
  const { id, name, open, isOpen, enter } = await setup();
  const token = await open();
  const passwordHash = await cheapHash('of the intruder');
  const options = { password: 'of the reset', totp: 'keep', enable: false } as const;
  let reset: Promise<unknown> | undefined;
  await bridge.context.db.transaction().execute(async (trx) => {
    // The reset waits for the lock of this row until the change is committed.
    await updateOperator(trx, id, { passwordHash });
    reset = resetOperator(bridge.context, name, options);
  });
  await reset;
  assert.equal(await isOpen(token), false);
  assert.deepEqual([await enter('of the intruder'), typeof (await enter('of the reset'))], [undefined, 'string']);
});

test('A reset keeps, replaces or removes the codes as it is told, and enables only an operator who is disabled.', async () => {
  const [own, without] = [await setup({ hasTotp: true }), await setup()];
  const { context } = bridge;
  const reset = async (name: string, totp: 'keep' | 'replace' | 'remove') =>
    (await resetOperator(context, name, { totp, enable: true }))?.totp;
  const secretOf = async () => (await own.rowOf())?.totpEncrypted;
  const secret = await secretOf();
  assert.deepEqual([await reset(own.name, 'keep'), await secretOf()], ['kept', secret]);
  assert.equal(await reset(own.name, 'replace'), 'replaced');
  assert.notEqual(await secretOf(), secret);
  assert.deepEqual([await reset(own.name, 'remove'), await secretOf()], ['removed', null]);
  assert.deepEqual([await reset(without.name, 'keep'), await reset(without.name, 'remove')], ['none', 'none']);
  assert.equal((await enableOperator(context, without.name))?.operatorId, without.id);
  assert.deepEqual(
    (await without.audit()).map(([, action]) => action),
    ['operator.reset', 'operator.reset'],
  );
});

test('A wrong code or password of a proof counts once for its IP address, and a session without its operator has ended.', async () => {
  for (const hasTotp of [true, false]) {
    const address = newAddress();
    const guess = async (times: number) => {
      const { open, sessionOf } = await setup({ hasTotp });
      const session = await sessionOf(await open());
      for (let tried = 0; tried < times; tried += 1)
        assert.equal(await reauthenticate(bridge.context, session, '000000', address), 'wrong');
      return session;
    };
    const { enter } = await setup();
    for (const times of [4, 4, 1]) await guess(times);
    assert.ok(await enter(operatorPassword, '', address));
    const session = await guess(1);
    await assert.rejects(enter(operatorPassword, '', address), { failure: 'too_many_logins' });
    const ended = { ...session, operator: { ...session.operator, operatorId: 'opr_of_a_provider' } };
    assert.equal(await reauthenticate(bridge.context, ended, operatorPassword, newAddress()), 'ended');
  }
});

test('Where it is required, an operator without an authenticator app must set one up, but not one of a provider.', () => {
  const settings = { isTotpRequired: true };
  const local = { operatorId: 'opr_1', hasTotp: false, identity: 'local' } as OperatorSession['operator'];
  const provided: typeof local = { ...local, identity: { issuer: 'https://id.example', subject: 'person' } };
  const must = (operator: typeof local) => mustEnrol({ settings }, { operator });
  assert.deepEqual([local, { ...local, hasTotp: true }, provided].map(must), [true, false, false]);
  assert.equal(mustEnrol({ settings: { isTotpRequired: false } }, { operator: local }), false);
});

test('A disabled operator is refused like a wrong password, also in the audit trail, and uses up no code.', async () => {
  const { id, secret, enter, audit, rowOf } = await setup({ hasTotp: true });
  await updateOperator(bridge.context.db, id, { disabledAt: now });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
  assert.equal(await enter(operatorPassword, code), undefined);
  assert.equal(await enter('wrong password!', code), undefined);
  assert.deepEqual(await audit(), Array<string[]>(2).fill(['unknown', 'operator.sign_in', 'refused']));
  assert.equal((await rowOf())?.totpLastStep, null);
});

test('A session of a disabled operator is not found, even if it was not deleted.', async () => {
  const { id, open, isOpen } = await setup();
  const token = await open();
  await updateOperator(bridge.context.db, id, { disabledAt: now });
  assert.equal(await isOpen(token), false);
});

const secret = newTotpSecret();
const codeAt = (seconds: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: start.getTime() + seconds * 1_000 });
const step = start.getTime() / 30_000;
for (const [seconds, accepted] of [
  [-90, undefined],
  [-60, undefined],
  [-30, step - 1],
  [0, step],
  [29, step],
  [30, step + 1],
  [60, undefined],
  [90, undefined],
] as const) {
  test(`A code of the authenticator app of ${seconds} seconds from now is ${accepted === undefined ? 'refused' : 'accepted'}.`, () => {
    assert.equal(totpStepOf(secret, codeAt(seconds), start), accepted);
  });
}

test('A code of the authenticator app has six digits, with or without spaces.', () => {
  const code = codeAt(0);
  assert.equal(totpStepOf(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, start), step);
  for (const wrong of ['', code.slice(1), `${code}0`, `${code}x`, 'abcdef']) {
    assert.equal(totpStepOf(secret, wrong, start), undefined, wrong);
  }
});

test('A step of an authenticator app is used once, none before it, and none of a replaced app.', async () => {
  const [own, other] = [await setup({ hasTotp: true }), await setup({ hasTotp: true })];
  const row = (await own.rowOf()) ?? assert.fail();
  const take = (step: number, operator = row) => takeTotpStep(bridge.context.db, operator, step);
  assert.deepEqual([await take(5), await take(5), await take(4), await take(6)], [true, false, false, true]);
  assert.equal(await take(7, { ...row, totpEncrypted: 'of the earlier app' }), false);
  assert.equal((await other.rowOf())?.totpLastStep, null);
});

test('A code of the authenticator app signs in once, and only with the right password.', async () => {
  const { secret: own, enter } = await setup({ hasTotp: true });
  const code = new TOTP({ secret: Secret.fromBase32(own) }).generate({ timestamp: now.getTime() });
  assert.equal(await enter(), undefined, 'no code');
  assert.equal(await enter('wrong password!', code), undefined);
  const both = await Promise.all([enter(operatorPassword, code), enter(operatorPassword, code)]);
  assert.equal(both.filter((token) => token !== undefined).length, 1, 'one code, two sign-ins at once');
});

test('After five wrong codes in an hour no code of the operator is accepted, from any address, until a new password.', async () => {
  const { id, name, secret: own, enter, audit, rowOf } = await setup({ hasTotp: true });
  const right = new TOTP({ secret: Secret.fromBase32(own) }).generate({ timestamp: now.getTime() });
  const wrong = right === '000000' ? '111111' : '000000';
  const colleague = await setup({ hasTotp: true });
  for (let tried = 0; tried < 6; tried += 1) {
    assert.equal(await enter('wrong password!', wrong), undefined, 'counted by address only');
    assert.equal(await enter(operatorPassword, ''), undefined, 'no guess');
  }
  const guesses = await Promise.all(Array.from({ length: 7 }, () => enter(operatorPassword, wrong)));
  assert.deepEqual([...new Set(guesses)], [undefined], 'the answer does not say that the password was right');
  assert.equal(await enter(operatorPassword, right), undefined);
  assert.equal((await rowOf())?.totpLastStep, null, 'no code was used up');
  const counted = await bridge.context.db.selectFrom('rateLimit').selectAll().where('key', 'like', `%${id}%`).execute();
  const [{ expire } = { expire: null }, ...others] = counted;
  assert.deepEqual(others, []);
  assert.ok(Math.abs(Number(expire) - Date.now() - 3_600_000) < 60_000, 'counted for an hour');
  // The operator's administrator is told: someone has the password.
  const refused = (await audit()).filter(([, , result]) => result === 'too_many_codes');
  assert.equal(refused.length, 3);
  const colleagueCode = new TOTP({ secret: Secret.fromBase32(colleague.secret) }).generate({
    timestamp: now.getTime(),
  });
  assert.ok(await colleague.enter(operatorPassword, colleagueCode));
  await resetOperator(bridge.context, name, { password: 'another sentence', totp: 'keep', enable: false });
  assert.ok(await enter('another sentence', right));
});

test('Right codes are not counted, however many sign-ins there are.', async () => {
  const { secret: own, enter } = await setup({ hasTotp: true });
  for (let signedIn = 0; signedIn < 7; signedIn += 1) {
    now = later(signedIn * 30_000);
    const code = new TOTP({ secret: Secret.fromBase32(own) }).generate({ timestamp: now.getTime() });
    assert.ok(await enter(operatorPassword, code));
  }
});

test('Without the key of an authenticator app its operator is refused, without an error.', async () => {
  const { name, secret: own } = await setup({ hasTotp: true });
  const code = new TOTP({ secret: Secret.fromBase32(own) }).generate({ timestamp: now.getTime() });
  const context = { ...bridge.context, keys: createKeys([Buffer.alloc(32, 9)]) };
  assert.equal(await signIn(context, { name, password: operatorPassword, code }, newAddress()), undefined);
});

for (const [what, passed, isOpen] of [
  ['just before it is idle for half an hour', sessionIdleMs - 1, true],
  ['when it is idle for half an hour', sessionIdleMs, false],
] as const) {
  test(`A session is ${isOpen ? 'open' : 'ended'} ${what}.`, async () => {
    const operator = await setup();
    const token = await operator.open();
    now = later(passed);
    assert.equal(await operator.isOpen(token), isOpen);
  });
}

test('A session that is used ends after twelve hours, and never before its half hour of idleness.', async () => {
  const { open, isOpen, sessionOf } = await setup();
  const token = await open();
  assert.deepEqual([sessionIdleMs, sessionTtlMs], [1_800_000, 43_200_000]);
  assert.deepEqual((await sessionOf(token)).endsAt, later(sessionIdleMs));
  for (let passed = 0; passed < sessionTtlMs; passed += sessionIdleMs - 1) {
    now = later(passed);
    assert.equal(await isOpen(token), true, String(passed));
  }
  now = later(sessionTtlMs - 1);
  assert.deepEqual((await sessionOf(token)).endsAt, later(sessionTtlMs));
  now = later(sessionTtlMs);
  assert.equal(await isOpen(token), false);
});

test('The use of a session is written once a minute.', async () => {
  const { id, open, isOpen } = await setup();
  const [token] = [await open(), await open()];
  const seen = async () =>
    (await bridge.context.db.selectFrom('operatorSession').select('seenAt').where('operatorId', '=', id).execute())
      .map(({ seenAt }) => seenAt.getTime() - start.getTime())
      .sort();
  now = later(59_999);
  assert.ok(await isOpen(token));
  assert.deepEqual(await seen(), [0, 0]);
  now = later(60_000);
  assert.ok(await isOpen(token));
  assert.deepEqual(await seen(), [0, 60_000]);
});

test('A sign-out ends its session only, and is recorded.', async () => {
  const { id, open, isOpen, sessionOf, audit } = await setup();
  const [one, other] = [await open(), await open()];
  await signOut(bridge.context, await sessionOf(one));
  assert.deepEqual([await isOpen(one), await isOpen(other)], [false, true]);
  assert.deepEqual(await audit(), [[`operator:${id}`, 'operator.sign_out', 'done']]);
});

test('Sign-ins are recorded without the name that was typed, and without passwords.', async () => {
  const { id, name, enter, audit } = await setup();
  assert.ok(await enter());
  await enter('canary password');
  await signIn(bridge.context, { name: 'canary-typed-as-a-name', password: 'canary', code: '' }, newAddress());
  assert.deepEqual(await audit(), [
    [`operator:${id}`, 'operator.sign_in', 'done'],
    ['unknown', 'operator.sign_in', 'refused'],
  ]);
  const entries = await readAudit(bridge.context, { scope: 'all', limit: 1_000 });
  assert.deepEqual([entries[0]?.actor, entries[0]?.subject, entries[0]?.result], ['unknown', '', 'refused']);
  assert.doesNotMatch(JSON.stringify(entries) + bridge.logged.join(''), new RegExp(`canary|${name}`));
});

test('A password is hashed with Argon2id at its costs, and any form of its letters is the same password.', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, please');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword('cafe\u0301 au lait, please', hash), true);
  assert.equal(await verifyPassword('cafe au lait, please', hash), false);
  assert.match(generatePassword(), /^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/);
});

test('At most 60 passwords wait to be hashed; further sign-ins should come back in a moment, and are no wrong tries.', async () => {
  const { enter } = await setup();
  const hash = await cheapHash('of others');
  const guess = () => verifyPassword('a guess', hash);
  const results = await Promise.allSettled(Array.from({ length: 200 }, guess));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 61, 'one is hashed, the others wait');
  let isFull = true;
  const fill = async (): Promise<void> => {
    while (isFull) await guess();
  };
  const others = Promise.all(Array.from({ length: 61 }, fill));
  const address = newAddress();
  for (let tried = 0; tried < 11; tried += 1) {
    const full = { failure: 'too_many_requests', retryAfterSeconds: 3 };
    await assert.rejects(enter('wrong password!', '', address), full);
  }
  isFull = false;
  await others;
  assert.ok(await enter(operatorPassword, '', address));
});

test('An unknown name takes as long as a wrong password.', async () => {
  const hash = await hashPassword('quite a long sentence');
  // The processor time of this process, which a busy machine does not change.
  const cost = async (stored: string | undefined) => {
    const began = process.cpuUsage();
    for (let round = 0; round < 3; round += 1) assert.equal(await verifyPassword('wrong password!', stored), false);
    return process.cpuUsage(began).user;
  };
  await cost(hash);
  const ratio = (await cost(undefined)) / (await cost(hash));
  assert.ok(ratio > 1 / 3 && ratio < 3, String(ratio));
});
