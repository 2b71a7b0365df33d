import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { sql } from 'kysely';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { createLimiter, type LimiterOptions } from '../../../src/bridge/domain/limits/limiter.js';
import { rateLimits, type RateLimitName } from '../../../src/bridge/domain/limits/limits.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { createCounter, deleteEndedCounts } from '../../../src/bridge/store/limits/rate-limit-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

const keys = createKeys([Buffer.alloc(32, 2)]);

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());
// The clock moves by `mock.timers.tick` only.
beforeEach(async () => {
  await database.db.deleteFrom('rateLimit').execute();
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-25T12:00:00Z') });
});
afterEach(() => {
  mock.timers.reset();
});

const create = (points: LimiterOptions['points'] = {}) =>
  createLimiter({ db: database.db, keys, log: createLogger('silent'), points });

const expected: Record<RateLimitName, [points: number, seconds: number, failure: string, words: string]> = {
  requests: [600, 60, 'too_many_requests', '600 requests a minute by one credential'],
  inventedTokens: [600, 60, 'too_many_requests', '600 invented tokens a minute by one address'],
  failedLogins: [10, 60, 'too_many_logins', '10 failed logins a minute by one address'],
  failedSignIns: [10, 60, 'too_many_logins', '10 failed sign-ins to the console a minute by one address'],
  wrongCodes: [
    5,
    3_600,
    'too_many_logins',
    '5 wrong codes of the authenticator app after a right password an hour by one operator',
  ],
  wrongCurrentPasswords: [
    5,
    3_600,
    'too_many_logins',
    '5 wrong current passwords in sessions of the console an hour by one operator',
  ],
  consolePages: [600, 60, 'too_many_requests', '600 pages of the console a minute by one address'],
  declinedPayments: [30, 86_400, 'too_many_requests', '30 declined payments a day by one address'],
  logins: [60, 60, 'too_many_requests', '60 logins a minute by one credential'],
  ssnMisses: [20, 3_600, 'too_many_requests', '20 look-ups by SSN without a result an hour by one agency and mode'],
  codeRequests: [20, 3_600, 'too_many_requests', '20 requests for a code by mail an hour by one address'],
  codes: [10, 86_400, 'too_many_requests', '10 codes by mail a day by one mailbox'],
  mails: [200, 86_400, 'too_many_requests', '200 mails a day by one mailbox'],
  pages: [1_200, 60, 'too_many_requests', '1200 pages of the hosted application a minute by one address'],
};

test('Each limit admits its number of calls in its period, and the next one only in the next period.', async () => {
  const limiter = create();
  assert.deepEqual(Object.keys(rateLimits).sort(), Object.keys(expected).sort());
  for (const [name, [points, seconds, failure, words]] of Object.entries(expected)) {
    const take = (key = '192.0.2.1') => limiter.take(name as RateLimitName, key);
    const refusal = (retryAfterSeconds: number) => ({
      failure,
      details: `limit: expected at most ${words}`,
      retryAfterSeconds,
    });
    for (let count = 0; count < points; count += 1) await take();
    await assert.rejects(take(), refusal(seconds), name);
    mock.timers.tick(1_000);
    await assert.rejects(take(), refusal(seconds - 1), name);
    await take('192.0.2.2');
    mock.timers.tick((seconds - 1) * 1_000 - 1);
    await assert.rejects(take(), refusal(1), name);
    mock.timers.tick(1);
    await take();
  }
});

test('Calls that were leased and not used do not carry into the next period.', async () => {
  const limiter = create({ requests: 100 });
  await limiter.take('requests', 'a');
  mock.timers.tick(60_000);
  for (let count = 0; count < 100; count += 1) await limiter.take('requests', 'a');
  await assert.rejects(limiter.take('requests', 'a'));
});

test('Concurrent calls of two instances admit no more than the limit, and all but a lease of each.', async () => {
  for (const points of [7, 199]) {
    const [one, other] = [create({ requests: points }), create({ requests: points })];
    const calls = Array.from({ length: points + 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).take('requests', `both ${points}`),
    );
    const admitted = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
    assert.ok(admitted <= points && admitted >= points - points / 50, String(admitted));
  }
});

test('A call that is given back can be made again, also from the last one.', async () => {
  const limiter = create();
  const take = () => limiter.take('failedLogins', '192.0.2.1');
  for (let count = 0; count < 10; count += 1) await take();
  await limiter.giveBack('failedLogins', '192.0.2.1');
  await limiter.giveBack('failedLogins', '192.0.2.9');
  await take();
  await assert.rejects(take());
});

test('All addresses of one IPv6 network count as one, and the table contains no address.', async () => {
  const { db } = database;
  const limiter = create({ failedLogins: 1 });
  const isAdmitted = (address: string) =>
    limiter.take('failedLogins', address).then(
      () => true,
      () => false,
    );
  for (const [address, admitted] of [
    ['2001:db8:7:8::1', true],
    ['2001:db8:7:8:9:a:b:c', false],
    ['2001:db8:7:9::1', true],
    ['192.0.2.7', true],
    ['::ffff:192.0.2.7', false],
    ['192.0.2.8', true],
    ['unknown', true],
    ['unknown', false],
    ['another', true],
  ] as const) {
    assert.equal(await isAdmitted(address), admitted, address);
  }
  const rows = await db.selectFrom('rateLimit').select('key').execute();
  assert.equal(rows.length, 6);
  for (const { key } of rows) assert.match(key, /^failedLogins:[\w-]{51}$/);
});

test('The clean-up deletes the counts that have ended.', async () => {
  const { db } = database;
  const limiter = create();
  await limiter.take('logins', 'a');
  const ends = Date.now() + 60_000;
  await limiter.take('ssnMisses', 'a');
  const left = async () => (await db.selectFrom('rateLimit').select('key').execute()).map(({ key }) => key).sort();
  await deleteEndedCounts(db, new Date(ends - 1));
  assert.deepEqual(await left(), ['logins:a', 'ssnMisses:a']);
  await deleteEndedCounts(db, new Date(ends));
  assert.deepEqual(await left(), ['ssnMisses:a']);
});

/** A counter with one connection. */
function counterOn(db: TestDatabase['db']) {
  const errors: unknown[] = [];
  const options = { name: 'tries', points: 5, seconds: 60, onError: (error: unknown) => void errors.push(error) };
  return { ...createCounter(db, options), errors };
}

test('Points that cross a limit are granted up to it, by all counters of one name together.', async () => {
  const [first, second] = [counterOn(database.db), counterOn(database.db)];
  const granted = async (counter: typeof first, points: number) => (await counter.count('a', points)).granted;
  assert.deepEqual([await granted(first, 3), await granted(second, 3), await granted(first, 1)], [3, 2, 0]);
  assert.equal((await first.count('b', 5)).granted, 5);
});

test('A counter continues in memory while the database fails, and reports it.', async () => {
  const { db } = database;
  const { count, errors } = counterOn(db);
  await sql`alter table rate_limit rename to away`.execute(db);
  const granted = [(await count('a', 5)).granted, (await count('a', 1)).granted];
  await sql`alter table away rename to rate_limit`.execute(db);
  assert.deepEqual([granted, errors.length], [[5, 0], 2]);
});
