import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { URI } from 'otpauth';
import { createAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { disableOperator, type OperatorAccess } from '../../../src/bridge/domain/operators/operators.js';
import { verifyPassword } from '../../../src/bridge/domain/operators/password.js';
import { totpAssociatedData } from '../../../src/bridge/domain/operators/totp.js';
import { updateOperator } from '../../../src/bridge/store/operators/operator-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { placeOidcOperator, placeOperator, placeSession } from '../console/operator-rows.js';
import { runHere } from '../process.js';

const keyBytes = Buffer.alloc(32, 3);
const key = keyBytes.toString('base64');
const keys = createKeys([keyBytes]);
const clock = () => new Date();
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

const run = (words: string[], input: string | Buffer = '') =>
  runHere(['operator', ...words], { DATABASE_URL: database.url, BRIDGE_SECRET_KEY: key }, input);

type Access = Pick<OperatorAccess, 'password' | 'totpUrl'> & { operatorId: string; hasTotp: boolean };

async function runJson(...words: string[]): Promise<Access> {
  const { out, err } = await run([...words, '--json']);
  assert.equal(err, '');
  return JSON.parse(out) as Access;
}

const rowOf = (id: string) =>
  database.db.selectFrom('operator').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const place = async (name: string) => {
  const operator = await placeOperator({ db: database.db, clock, keys }, name, { hasTotp: true });
  await placeSession({ db: database.db, clock, keys }, operator.id);
  return operator.id;
};
const placeIdentified = (of: { issuer: string; subject: string; name: string }) =>
  placeOidcOperator({ db: database.db, clock, keys }, of);
const countSessions = async (id: string) =>
  (await database.db.selectFrom('operatorSession').where('operatorId', '=', id).execute()).length;

test('operator create prints a password that must be replaced, and refuses a name in any case again.', async () => {
  const { password, operatorId, totpUrl } = await runJson(
    'create',
    '--name',
    ' Dana Cole ',
    '--role',
    'file',
    '--totp',
  );
  const { passwordHash, isPasswordTemporary, totpEncrypted, role, name } = await rowOf(operatorId);
  assert.deepEqual([name, role, isPasswordTemporary], ['Dana Cole', 'file', true]);
  assert.ok(await verifyPassword(password, passwordHash ?? undefined));
  const { secret } = URI.parse(totpUrl);
  assert.equal(keys.of('live').decrypt(totpEncrypted ?? '', totpAssociatedData(operatorId)), secret.base32);
  const again = await run(['create', '--name', 'DANA COLE', '--role', 'view']);
  assert.deepEqual([again.code, again.err], [1, 'There is an operator of this name. See operator reset.\n']);
  const { length } = await database.db.selectFrom('auditEntry').where('action', '=', 'operator.created').execute();
  assert.equal(length, 1);
});

test('operator create takes a password as it stands on standard input, and prints none.', async () => {
  const words = ['create', '--name', 'Sam', '--role', 'view', '--password-stdin'];
  for (const wrong of ['11 letters.', 'x'.repeat(201)]) {
    const { code, err } = await run(words, `${wrong}\n`);
    assert.deepEqual([code, err.includes('12 to 200 characters')], [2, true], wrong);
  }
  const windows1252 = await run(words, Buffer.from('contraseña larga', 'latin1'));
  assert.deepEqual(windows1252, { code: 2, out: '', err: '--password-stdin: expected UTF-8 on standard input.\n' });
  assert.deepEqual(await run(words, ' 12 letters \r\n'), { code: 0, out: 'name: Sam\n', err: '' });
  const { passwordHash, isPasswordTemporary } = await database.db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', 'Sam')
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    [await verifyPassword(' 12 letters ', passwordHash ?? undefined), isPasswordTemporary],
    [true, false],
  );
});

test('operator disable ends the sessions of one operator, and keeps the time of the first time.', async () => {
  const [id, other] = [await place('Robin'), await place('Lee')];
  assert.deepEqual(await run(['disable', '--name', 'robin']), { code: 0, out: 'Robin is disabled.\n', err: '' });
  assert.deepEqual([await countSessions(id), await countSessions(other)], [0, 1]);
  const { disabledAt } = await rowOf(id);
  await disableOperator({ db: database.db, keys, clock: () => new Date('2999-01-01') }, 'Robin');
  assert.deepEqual((await rowOf(id)).disabledAt, disabledAt);
  assert.equal((await rowOf(other)).disabledAt, null);
});

test('operator reset sets a password, ends the sessions, keeps codes and a disablement, and says so.', async () => {
  const [id, other] = [await place('Kim'), await place('Jo')];
  await updateOperator(database.db, id, { disabledAt: new Date(), totpLastStep: 7 });
  const before = await rowOf(id);
  const { out } = await run(['reset', '--name', 'KIM', '--password-stdin'], 'another sentence');
  assert.deepEqual(out.split('\n'), [
    'name: Kim',
    'sessions: ended',
    'codes: kept',
    'sign-in: still disabled: --enable lets the operator sign in again',
    '',
  ]);
  const { passwordHash, updatedAt, ...kept } = await rowOf(id);
  assert.deepEqual({ ...before, passwordHash, updatedAt }, { ...kept, passwordHash, updatedAt });
  assert.ok(await verifyPassword('another sentence', passwordHash ?? undefined));
  assert.deepEqual([await countSessions(id), await countSessions(other)], [0, 1]);
});

test('operator reset enables, and replaces or removes the codes, only with the options for it.', async () => {
  const id = await place('Ari');
  await updateOperator(database.db, id, { disabledAt: new Date(), totpLastStep: 7 });
  const { password, totpUrl } = await runJson('reset', '--name', 'Ari', '--totp', '--enable');
  const row = await rowOf(id);
  assert.deepEqual([row.disabledAt, row.totpLastStep, row.isPasswordTemporary], [null, null, true]);
  assert.ok(await verifyPassword(password, row.passwordHash ?? undefined));
  const { secret } = URI.parse(totpUrl);
  assert.equal(keys.of('live').decrypt(row.totpEncrypted ?? '', totpAssociatedData(id)), secret.base32);
  const { out } = await run(['reset', '--name', 'Ari', '--remove-totp']);
  assert.match(out, /codes: removed, a password is enough from now on\nsign-in: enabled, as before\n$/);
  assert.equal((await rowOf(id)).totpEncrypted, null);
  assert.equal((await run(['reset', '--name', 'Ari', '--totp', '--remove-totp'])).code, 2);
  const variables = { DATABASE_URL: database.url, BRIDGE_SECRET_KEY: key, BRIDGE_REQUIRE_TOTP: 'true' };
  const required = await runHere(['operator', 'reset', '--name', 'Ari', '--remove-totp'], variables);
  assert.match(required.out, /codes: none; the operator must set up an app after the next sign-in\n/);
});

test('What an operator does not have, or is already, is neither taken away nor recorded.', async () => {
  const { id } = await placeOperator({ db: database.db, clock, keys }, 'Val');
  for (const [words, line] of [
    [['reset', '--name', 'Val'], 'codes: none'],
    [['reset', '--name', 'Val', '--remove-totp'], 'codes: none'],
    [['enable', '--name', 'Val'], 'Val may sign in.'],
  ] as const) {
    const { code, out } = await run([...words]);
    assert.deepEqual([code, out.includes(line)], [0, true], words.join(' '));
  }
  const entries = await database.db
    .selectFrom('auditEntry')
    .where('subject', '=', `operator:${id}`)
    .selectAll()
    .execute();
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['operator.reset', 'operator.reset'],
  );
});

test('operator role changes the role, also of an operator who is signed in.', async () => {
  const id = await place('Noa');
  assert.deepEqual(await run(['role', '--name', 'noa', '--role', 'view']), {
    code: 0,
    out: 'Noa has the role view.\n',
    err: '',
  });
  assert.deepEqual([(await rowOf(id)).role, await countSessions(id)], ['view', 1]);
  assert.equal((await run(['role', '--name', 'Noa', '--role', 'owner'])).code, 2);
});

test('operator create and operator agencies limit an operator to agencies, and end the sessions of a change.', async () => {
  const context = { db: database.db, clock };
  const [{ agencyId: first }, { agencyId: second }] = [
    await createAgency(context, 'First'),
    await createAgency(context, 'Second'),
  ];
  const { operatorId: id } = await runJson('create', '--name', 'Max', '--role', 'file', '--agencies', first);
  assert.deepEqual((await rowOf(id)).agencyIds, [first]);
  await placeSession({ db: database.db, clock, keys }, id);
  const change = (agencies: string) => run(['agencies', '--name', 'max', '--agencies', agencies]);
  assert.deepEqual(await change(`${second}, ${first},${second}`), {
    code: 0,
    out: `Max is limited to ${second}, ${first}.\n`,
    err: '',
  });
  assert.deepEqual([(await rowOf(id)).agencyIds, await countSessions(id)], [[second, first], 0]);
  assert.ok((await run(['list'])).out.includes(`${id}  file  Max  (${second},${first})\n`));
  for (const [wrong, code] of [
    ['agc_none', 1],
    [`${first},`, 2],
    ['', 2],
  ] as const) {
    assert.equal((await change(wrong)).code, code, wrong);
  }
  const unknown = await run(['create', '--name', 'Typo', '--role', 'file', '--agencies', `${first},agc_none`]);
  assert.deepEqual([unknown.code, unknown.err], [1, '--agencies: id 2 is of no agency. See agency list.\n']);
  assert.deepEqual((await rowOf(id)).agencyIds, [second, first]);
  assert.equal((await change('all')).out, 'Max works with all agencies.\n');
  assert.equal((await rowOf(id)).agencyIds, null);
  const entries = await database.db
    .selectFrom('auditEntry')
    .select('result')
    .where('subject', '=', `operator:${id}`)
    .where('action', '=', 'operator.agencies_changed')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    entries.map(({ result }) => result),
    [first, `${second},${first}`, 'all'],
  );
});

test('operator list prints the operators by name, and nothing secret.', async () => {
  await database.db.deleteFrom('operator').execute();
  assert.equal((await run(['list'])).out, 'None.\n');
  const ids = [await place('B'), (await placeOperator({ db: database.db, clock, keys }, 'A', { role: 'view' })).id];
  await run(['disable', '--name', 'B']);
  assert.equal(
    (await run(['list'])).out,
    `${String(ids[1])}  view  A\n${String(ids[0])}  file  B  (code)  (disabled)\n`,
  );
});

test('operators of an identity provider are listed with it, and disabled and enabled by name or id.', async () => {
  await database.db.deleteFrom('operator').execute();
  const issuer = 'https://id.example';
  const id = await place('Dana Cole');
  const theirs = ['first', 'second'].map((subject) => placeIdentified({ issuer, subject, name: 'Dana Cole' }));
  const [first, second] = await Promise.all(theirs);
  const { out } = await run(['list']);
  assert.ok(out.includes(`${String(first)}  file  Dana Cole  (first at https://id.example)\n`));
  const ambiguous = await run(['disable', '--name', 'dana cole']);
  assert.equal(ambiguous.code, 1);
  assert.match(ambiguous.err, /^Several operators have this name: .*\. Give the id as --name\.\n$/);
  for (const [each, where] of [
    [id, 'password'],
    [first, issuer],
    [second, issuer],
  ]) {
    assert.ok(ambiguous.err.includes(`${String(each)} (${String(where)})`));
  }
  // A person chooses the name at the provider.
  await placeIdentified({ issuer, subject: 'liar', name: String(first) });
  assert.equal((await run(['disable', '--name', String(first)])).out, 'Dana Cole is disabled.\n');
  assert.deepEqual([(await rowOf(String(first))).disabledAt !== null, (await rowOf(id)).disabledAt], [true, null]);
  assert.equal((await run(['enable', '--name', String(first)])).out, 'Dana Cole may sign in.\n');
  assert.equal((await rowOf(String(first))).disabledAt, null);
  for (const command of [['reset'], ['role', '--role', 'view'], ['agencies', '--agencies', 'all']]) {
    const { code, err } = await run([...command, '--name', String(second)]);
    const advice = `${String(second)} signs in at ${issuer}. Change the role, agencies and access there.\n`;
    assert.deepEqual([code, err], [1, advice], command[0]);
  }
});

for (const command of [
  ['disable'],
  ['enable'],
  ['reset'],
  ['role', '--role', 'view'],
  ['agencies', '--agencies', 'all'],
]) {
  test(`operator ${String(command[0])} says that no operator has the name.`, async () => {
    const { code, err } = await run([...command, '--name', 'Nobody']);
    assert.deepEqual([code, err], [1, 'There is no operator of this name. See operator list.\n']);
  });
}
