import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import { sql } from 'kysely';
import { modes } from '../../../src/contract/index.js';
import { isIssued, newAccessToken } from '../../../src/bridge/domain/accounts/access-token.js';
import {
  createKeys,
  createLinks,
  isLinkToken,
  randomId,
  randomToken,
  encryptedPrefix,
  type KeyRing,
  type LinkedAction,
  type Keys,
  tokenOf,
  UnknownKeyError,
} from '../../../src/bridge/domain/keys/keys.js';
import { enterKeys, forgetOldKeys } from '../../../src/bridge/domain/keys/secret-keys.js';
import { reEncrypt, encryptedColumns } from '../../../src/bridge/key-rotation/re-encrypt.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { idTokenAssociatedData, startSession } from '../../../src/bridge/domain/operators/operator-session.js';
import { totpAssociatedData } from '../../../src/bridge/domain/operators/totp.js';
import {
  countEncryptedWithOldKey,
  findEncryptedWithOldKey,
  replaceEncrypted,
} from '../../../src/bridge/store/keys/key-store.js';
import { sqlName } from '../../../src/bridge/store/tables/typed-database.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { placeOperator } from '../console/operator-rows.js';

const [first, second] = [randomBytes(32), randomBytes(32)];
const old = createKeys([first]).of('live');
const both = createKeys([second, first]).of('live');
const newest = createKeys([second]).of('live');

/** Keys of which both modes have one ring. */
function inBoth(ring: KeyRing): Keys {
  return { of: () => ring };
}

test('An encrypted value can be decrypted only in its place and with its key.', () => {
  const encrypted = old.encrypt('900-11-0003', 'row:1');
  assert.ok(encrypted.startsWith(encryptedPrefix(old.newestId)));
  assert.notEqual(old.encrypt('900-11-0003', 'row:1'), encrypted);
  assert.equal(both.decrypt(encrypted, 'row:1'), '900-11-0003');
  assert.throws(() => both.decrypt(encrypted, 'row:2'));
  const other = encrypted.endsWith('AA') ? 'BB' : 'AA';
  assert.throws(() => both.decrypt(encrypted.slice(0, -2) + other, 'row:1'));
  assert.throws(() => newest.decrypt(encrypted, 'row:1'), UnknownKeyError);
  assert.throws(() => both.decrypt('900-11-0003', 'row:1'), UnknownKeyError);
  assert.deepEqual(
    [both, old, newest].map((keys) => keys.canDecrypt(encrypted)),
    [true, true, false],
  );
});

test('New values are encrypted and hashed with the newest key; a text has one hash per key and purpose.', () => {
  assert.throws(() => old.decrypt(both.encrypt('text', 'row:1'), 'row:1'), UnknownKeyError);
  assert.deepEqual(both.ids, [newest.newestId, old.newestId]);
  assert.deepEqual(both.mac('link', 'text').subarray(0, 6), newest.newestId);
  assert.deepEqual(both.macs('link', 'text'), [newest.mac('link', 'text'), old.mac('link', 'text')]);
  const purposes = ['client-secret', 'link', 'encryption', 'rate-bucket', 'ssn-lookup'] as const;
  assert.equal(new Set(purposes.map((purpose) => both.mac(purpose, 'text').toString('hex'))).size, 5);
  assert.equal(both.mac('link', 'text').length, 38);
});

test('A token of a link is 43 characters of base64url, and nothing else is one.', () => {
  const token = tokenOf(both.mac('link', 'text'));
  for (const right of [token, randomToken()]) assert.equal(isLinkToken(right), true, right);
  for (const wrong of ['', token.slice(1), `${token}A`, `${token.slice(1)}.`, `${token}\n`]) {
    assert.equal(isLinkToken(wrong), false, wrong);
  }
});

describe('the keys of links', () => {
  const [before, during, after] = [old, both, newest].map((ring) => createLinks(inBoth(ring), 'https://apply.example'));
  assert.ok(before && during && after);
  const session = { mode: 'live', sessionId: 'ses_1' } as const;
  const action: LinkedAction = { mode: 'live', applicationId: 'app_1', state: 'TX', serial: 2, linkNumber: 0 };

  it('A link stays the same with a newer key, as long as its old key is there.', () => {
    const [hash, request] = [before.applicationLinkHash(session), before.actionLinkHash(action)];
    const url = before.applicationUrl(session, hash);
    assert.match(url, /^https:\/\/apply\.example\/s\/[\w-]{43}$/);
    assert.equal(during.applicationUrl(session, hash), url);
    assert.equal(during.actionUrl(action, request), before.actionUrl(action, request));
    const renewed = after.applicationUrl(session, after.applicationLinkHash(session));
    assert.equal(during.applicationUrl(session, during.applicationLinkHash(session)), renewed);
    assert.equal(after.applicationUrl(session, hash), renewed, 'without its key');
    assert.equal(during.actionUrl(action, null), after.actionUrl(action, after.actionLinkHash(action)));
  });

  it('Each session, and each request for action of a state, has a separate link.', () => {
    const actions = [
      action,
      { ...action, applicationId: 'app_2' },
      { ...action, state: 'CA' },
      { ...action, serial: 3, linkNumber: 0 },
    ];
    const sessions = [session, { ...session, sessionId: 'ses_2' }];
    const hashes = [...actions.map(during.actionLinkHash), ...sessions.map(during.applicationLinkHash)];
    assert.equal(new Set(hashes.map((hash) => hash.toString('hex'))).size, 6);
  });

  it('The return of a payment that began with the old key is accepted with a newer one, and no other.', () => {
    const [path = '', token = ''] = /\/p\/pay_1\/(.+)$/.exec(before.paymentReturnUrl('live', 'pay_1')) ?? [];
    assert.notEqual(path, '');
    assert.deepEqual(
      [before, during, after].map((links) => links.isPaymentReturn('live', 'pay_1', token)),
      [true, true, false],
    );
    for (const wrong of ['', `${token}x`, randomToken()])
      assert.equal(during.isPaymentReturn('live', 'pay_1', wrong), false);
    assert.equal(during.isPaymentReturn('live', 'pay_2', token), false);
  });
});

describe('key rotation', () => {
  const column = encryptedColumns.find(({ table }) => table === 'operator');
  assert.ok(column);
  const clock = () => new Date();
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.stop());
  beforeEach(async () => {
    await database.db.deleteFrom('operator').execute();
    await database.db.deleteFrom('secretKey').execute();
  });
  const place = async (ring = old) => {
    const keys = inBoth(ring);
    const { id, secret } = await placeOperator({ db: database.db, clock, keys }, randomId('name'), { hasTotp: true });
    return { id, secret };
  };
  const encryptedOf = async (id: string) =>
    (await database.db.selectFrom('operator').select('totpEncrypted').where('id', '=', id).executeTakeFirst())
      ?.totpEncrypted ?? '';
  const prefix = encryptedPrefix(newest.newestId);
  const prefixes = { live: prefix, test: prefix };

  it('The re-encryption covers every encrypted column.', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ 'encrypted' order by 1`.execute(database.db);
    assert.deepEqual(
      rows.map(({ name }) => name),
      encryptedColumns.map(({ table, column: name }) => `${sqlName(table)}.${sqlName(name)}`).sort(),
    );
  });

  it('The re-encryption renews the texts of known keys, and counts the others as unreadable and left.', async () => {
    const [known, unknown, current] = [
      await place(),
      await place(createKeys([randomBytes(32)]).of('live')),
      await place(both),
    ];
    await placeOperator({ db: database.db, clock, keys: inBoth(old) }, 'without an authenticator app');
    const before = [await encryptedOf(unknown.id), await encryptedOf(current.id)];
    const counts = (await reEncrypt({ db: database.db, keys: inBoth(both), clock })).find(
      ({ table }) => table === 'operator',
    );
    assert.deepEqual(counts, { table: 'operator', column: 'totp_encrypted', reEncrypted: 1, unreadable: 1, left: 1 });
    assert.equal(newest.decrypt(await encryptedOf(known.id), totpAssociatedData(known.id)), known.secret);
    assert.deepEqual([await encryptedOf(unknown.id), await encryptedOf(current.id)], before);
  });

  it('The re-encryption renews the ID tokens of sessions, whose key is in bytes.', async () => {
    const { id } = await place();
    await database.db
      .transaction()
      .execute((trx) => startSession(trx, { clock, keys: inBoth(old) }, { id }, { idToken: 'x' }));
    const counts = await reEncrypt({ db: database.db, keys: inBoth(both), clock });
    assert.equal(counts.find(({ table }) => table === 'operator_session')?.reEncrypted, 1);
    const { idTokenEncrypted } = await database.db
      .selectFrom('operatorSession')
      .select('idTokenEncrypted')
      .executeTakeFirstOrThrow();
    assert.equal(newest.decrypt(idTokenEncrypted ?? '', idTokenAssociatedData(id)), 'x');
  });

  it('The re-encryption fails at a text that was changed or moved.', async () => {
    const { id } = await place();
    for (const wrong of [
      `${(await encryptedOf(id)).slice(0, -4)}AAAA`,
      old.encrypt('x', totpAssociatedData('opr_x')),
    ]) {
      await database.db.updateTable('operator').set({ totpEncrypted: wrong }).execute();
      await assert.rejects(reEncrypt({ db: database.db, keys: inBoth(both), clock }));
      assert.equal(await encryptedOf(id), wrong);
    }
  });

  it('The re-encryption skips a text that another process has changed meanwhile.', async () => {
    const [changed, other] = [await place(), await place()];
    const rows = await findEncryptedWithOldKey(database.db, column, prefixes, undefined, 10);
    await database.db.updateTable('operator').set({ totpEncrypted: 'newer' }).where('id', '=', changed.id).execute();
    const reEncrypted = rows.map((row) => ({ row, change: { totpEncrypted: `${prefix}new` } }));
    assert.equal(await replaceEncrypted(database.db, column, reEncrypted), 1);
    assert.deepEqual([await encryptedOf(changed.id), await encryptedOf(other.id)], ['newer', `${prefix}new`]);
    assert.equal(await countEncryptedWithOldKey(database.db, column, prefixes), 1);
    assert.equal(await replaceEncrypted(database.db, column, []), 0);
  });

  it('The re-encryption reads each text once, in pages.', async () => {
    const ids = [await place(), await place(), await place()].map(({ id }) => id).sort();
    await place(both);
    const page = async (after: string | undefined) =>
      (
        await findEncryptedWithOldKey(database.db, column, prefixes, after === undefined ? undefined : { id: after }, 2)
      ).map((row) => String(row['id']));
    // In the order of the database.
    const one = await page(undefined);
    const rest = await page(one.at(-1));
    assert.deepEqual([one.length, [...one, ...rest].sort(), await page(rest.at(-1))], [2, ids, []]);
  });

  it('A database accepts only a bridge that has one of its keys, unless new keys are trusted.', async () => {
    const { db } = database;
    const enter = async (ring: KeyRing, areTrusted = false) =>
      (await enterKeys({ db, clock, keys: inBoth(ring) }, areTrusted)) === undefined;
    const known = async () => (await db.selectFrom('secretKey').select('keyId').distinct().execute()).length;
    const third = createKeys([randomBytes(32)]).of('live');
    assert.deepEqual([await enter({ ...old, ids: [] }), await enter(old), await known()], [false, true, 1]);
    assert.deepEqual([await enter(newest), await known()], [false, 1]);
    assert.deepEqual([await enter(both), await enter(both), await known()], [true, true, 2]);
    assert.deepEqual([await enter(third, true), await known()], [true, 3]);
    await forgetOldKeys({ db, clock, keys: inBoth(third) });
    assert.deepEqual([await enter(newest), await enter(third), await known()], [false, true, 1]);
    const entries = await readAudit({ db }, { scope: 'all', limit: 4 });
    assert.deepEqual(
      entries.map(({ actor, action, subject, result }) => [actor, action, subject, result]),
      [
        ['bridge', 'keys.forgotten', `key:${third.newestId.toString('hex')}`, '2'],
        ['bridge', 'keys.entered', `key:${third.newestId.toString('hex')}`, 'trusted'],
        ['bridge', 'keys.entered', `key:${both.newestId.toString('hex')}`, 'changed'],
        ['bridge', 'keys.entered', `key:${old.newestId.toString('hex')}`, 'first'],
      ],
    );
  });

  it('Of two first starts with different keys at once, the second one is refused.', async () => {
    const { db } = database;
    let isDone = false;
    let entering: ReturnType<typeof enterKeys> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`lock table secret_key in share row exclusive mode`.execute(trx);
      await trx
        .insertInto('secretKey')
        .values({ mode: 'live', keyId: old.newestId, firstUsedAt: new Date() })
        .execute();
      entering = enterKeys({ db, clock, keys: inBoth(newest) }, false);
      void entering.then(() => (isDone = true));
      const waiting = sql`select from pg_locks where not granted and relation = 'secret_key'::regclass`;
      while (!isDone && (await waiting.execute(trx)).rows.length === 0);
    });
    assert.equal(await entering, 'live');
  });
});

test('A token of the API is recognized with the key that it was made with, in each mode, and unchanged only.', () => {
  const [older, newer, ofTest] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
  const keys = createKeys([newer, older], [ofTest]);
  const tokens = [newAccessToken(createKeys([older]), 'live'), ...modes.map((mode) => newAccessToken(keys, mode))];
  for (const token of tokens) {
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(isIssued(keys, token), true);
    const bytes = Buffer.from(token, 'base64url');
    bytes[0] = 1 ^ (bytes[0] ?? 0);
    const others = [
      bytes.toString('base64url'),
      token.slice(0, -2),
      token.slice(0, 32),
      `${token}AAAA`,
      '',
      randomToken(),
    ];
    for (const other of others) assert.equal(isIssued(keys, other), false, other);
  }
  assert.equal(isIssued(createKeys([newer]), tokens[0] ?? ''), false);
});
