import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { openPool, type DatabaseOptions } from '../../../src/bridge/store/database.js';
import { findOutage } from '../../../src/bridge/store/outages.js';
import { inTransaction } from '../../../src/bridge/store/transaction.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { deferred } from '../../support/deferred.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

const silenceSeconds = 0.3;

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
  await sql`create table kept (id integer primary key)`.execute(database.db);
});
after(() => database.stop());

/** A pool behind a proxy that can fall silent. */
async function setup(t: TestContext, options: DatabaseOptions = {}) {
  const proxy = await startTcpProxy(Number(new URL(database.url).port));
  t.after(() => proxy.close());
  const url = new URL(database.url);
  url.port = String(proxy.port);
  const lost: Error[] = [];
  const onError = (error: Error) => lost.push(error);
  const pool = openPool(url.href, { silenceSeconds, connectTimeoutSeconds: 1, onError, ...options });
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= pool.end());
  t.after(end);
  return { ...pool, proxy, lost, end };
}

/** Opens connections that are idle afterwards. */
const openConnections = (db: Awaited<ReturnType<typeof setup>>['db'], count: number) =>
  Promise.all(Array.from({ length: count }, () => sql`select pg_sleep(0.1)`.execute(db)));

const one = sql<{ one: number }>`select 1 as one`;

test('When a server vanishes silently, waiting queries fail within seconds, and new connections replace all of the pool.', async (t) => {
  const { db, proxy, lost, use } = await setup(t, { maxConnections: 3 });
  await openConnections(db, 3);
  proxy.fallSilent();
  proxy.restore();

  // One of three connections is used. The others of the same server must not cost a caller as long.
  await assert.rejects(one.execute(db), (error) => findOutage(error)?.meaning === 'The server cannot be reached.');
  const answers = await Promise.all([1, 2, 3].map(() => one.execute(db)));
  assert.deepEqual(
    answers.map(({ rows }) => rows),
    [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]],
  );
  assert.deepEqual(
    lost.map(({ name }) => name),
    ['SilentConnectionError'],
  );
  assert.match(lost[0]?.message ?? '', /the server at its address does not work on the query/);
  assert.equal(use().busy, 0);
});

test('While no server answers, queries on old and on new connections fail in time, and the pool can end.', async (t) => {
  const { db, proxy, lost, end } = await setup(t, { maxConnections: 2 });
  await openConnections(db, 2);
  proxy.fallSilent();
  const failures = await Promise.allSettled([1, 2, 3, 4].map(() => one.execute(db)));
  for (const failure of failures) assert.ok(failure.status === 'rejected' && findOutage(failure.reason) !== undefined);
  assert.match(lost[0]?.message ?? '', /no server answers at its address/);
  const waiting = one.execute(db);
  const ending = end();
  await assert.rejects(waiting);
  await ending;
});

test('A query that the server works on may take as long as it needs.', async (t) => {
  const { db, lost } = await setup(t, { answerTimeoutSeconds: 1 });
  const locked = deferred();
  const isAnswered = deferred();
  const holding = database.db.transaction().execute(async (trx) => {
    await sql`insert into kept values (1)`.execute(trx);
    locked.resolve();
    await isAnswered.promise;
  });
  await locked.promise;
  // It waits for the lock of the other one, while a third one computes.
  const blocked = sql`insert into kept values (1) on conflict do nothing`.execute(db);
  await sql`select pg_sleep(${silenceSeconds * 8})`.execute(db);
  isAnswered.resolve();
  await Promise.all([holding, blocked]);
  assert.deepEqual(lost, []);
});

test('A transaction whose commit got no answer fails and is not repeated, as it may have been done.', async (t) => {
  const { db, proxy } = await setup(t);
  let runs = 0;
  const transaction = inTransaction(db, async (trx) => {
    runs += 1;
    await sql`insert into kept values (2)`.execute(trx);
    proxy.fallSilent();
    proxy.restore();
  });
  await assert.rejects(transaction, { name: 'SilentConnectionError', code: 'ETIMEDOUT' });
  assert.equal(runs, 1);
});

test('When the server does not list its sessions, a query is lost after the time limit of every statement.', async (t) => {
  const { db, proxy, lost } = await setup(t, { answerTimeoutSeconds: 1 });
  await openConnections(db, 1);
  const name = new URL(database.url).pathname.slice(1);
  await sql.raw(`alter database ${name} set track_activities = off`).execute(database.db);
  t.after(() => sql.raw(`alter database ${name} reset all`).execute(database.db));
  proxy.fallSilent();
  proxy.restore();
  await assert.rejects(one.execute(db));
  assert.match(lost[0]?.message ?? '', /every statement should have ended/);
});
