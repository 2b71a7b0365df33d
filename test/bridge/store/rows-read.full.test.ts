import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { operations, type OperationId } from '../../../src/contract/index.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { replayDeadLetter } from '../../../src/bridge/domain/webhooks/dead-letters.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation } from '../../support/call-operation.js';
import { createApplication, submitApplication } from '../applications.js';
import { createScene, type Scene } from '../http/support/scene.js';
import { stopStatistics } from '../outbox/statistics.js';
import { startReceiver } from '../receiver.js';
import { fillTables } from './full-tables.js';

/**
 * The number of rows that an operation reads must not grow with the tables, nor depend on
 * statistics. A fast-growing table has outdated statistics, and without any the planner treats an
 * agency's index like a primary key.
 */
const rowsThere = 3_000;
/** More than any operation needs, and far fewer than the tables have. */
const rowsAllowed = 300;

/** The size of the bridge's pool. */
const connections = 10;

/** Returns all producers of an agency. */
const readsAll: OperationId[] = ['listActiveLicenses'];
/** Each call has a separate agency. */
const endTokens: OperationId[] = ['createAccountCredential', 'resetCredential'];

const ids = (Object.keys(operations) as OperationId[]).filter((id) => !readsAll.includes(id));

describe(`with ${rowsThere} rows in each table, and no statistics`, () => {
  let bridge: TestBridge;
  let scene: Scene;
  before(async () => {
    bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
    await stopStatistics(bridge.context.db);
    scene = await createScene(bridge);
    // So that a decision causes an event.
    const body = { webhookUrl: 'http://127.0.0.1:9/nobody' };
    await callOperation(bridge.bridgeUrl, 'updateAccount', { ...scene.calls.updateAccount, body });
    await fill(bridge, scene.agencyId);
  });
  after(() => bridge.stop());

  for (const id of ids) {
    it(`${id} reads a handful of rows.`, async () => {
      const { calls } = endTokens.includes(id) ? await createScene(bridge) : scene;
      const earlier = await rowsRead(bridge.context.db);
      const { status, body } = await callOperation(bridge.bridgeUrl, id, calls[id]);
      assert.equal(status, 200, JSON.stringify(body));
      const later = await rowsRead(bridge.context.db);
      assert.deepEqual(manyMore(earlier, later), []);
    });
  }

  it('A query that reads all rows is found.', async () => {
    const earlier = await rowsRead(bridge.context.db);
    await sql`select count(*) from application where user_id like 'none%'`.execute(bridge.context.db);
    const later = await rowsRead(bridge.context.db);
    assert.ok((later.get('application') ?? 0) - (earlier.get('application') ?? 0) >= rowsThere);
  });

  it('With statistics, a URL that answers 410 and the replay of dead letters read a handful of rows.', async (t) => {
    const { db } = bridge.context;
    await sql`analyze webhook_stream`.execute(db);
    const receiver = await startReceiver();
    t.after(() => receiver.close());
    receiver.answers.push(410, 200);
    const token = scene.tokens.test;
    const begin = () => createApplication(bridge, { token, webhookUrl: receiver.url });
    const [first, second] = [await begin(), await begin()];
    const logs = async (text: string) => {
      while (!bridge.logged.some((line) => line.includes(text))) await new Promise(setImmediate);
    };
    const earlier = await rowsRead(db);
    await submitApplication(bridge, first, '0004');
    await logs('A webhook endpoint is disabled (410).');
    await submitApplication(bridge, second, '0004');
    const dead = db.selectFrom('webhookEvent').select('id').where('streamId', '=', second);
    const findDead = () => dead.where('deadAt', 'is not', null).executeTakeFirst();
    let event = await findDead();
    while (event === undefined) event = await findDead();
    assert.equal(await replayDeadLetter(bridge.context, 'all', event.id, 'bridge'), 'replayed');
    bridge.context.wakeOutbox();
    await logs('A webhook was delivered.');
    assert.deepEqual(manyMore(earlier, await rowsRead(db)), []);
  });
});

/**
 * By a connection that is closed then. Waits until its reads are counted, which do not belong to
 * the test.
 */
async function fill({ databaseUrl, context: { db } }: TestBridge, agencyId: string): Promise<void> {
  const own = openDatabase(databaseUrl, { maxConnections: 1 });
  await fillTables(own, agencyId, rowsThere);
  await own.destroy();
  const counted = sql<{ rows: number }>`select n_tup_ins as rows from pg_stat_user_tables where relname = 'territory'`;
  while (((await counted.execute(db)).rows[0]?.rows ?? 0) < rowsThere);
}

/** Tables from which more rows were read between two counts than any operation needs. */
function manyMore(earlier: Map<string, number>, later: Map<string, number>): [table: string, count: number][] {
  return [...later]
    .map(([table, count]): [string, number] => [table, count - (earlier.get(table) ?? 0)])
    .filter(([, count]) => count > rowsAllowed);
}

/** The number of rows read from each table so far, by any plan. */
async function rowsRead(db: Database): Promise<Map<string, number>> {
  await tellCounts(db);
  const { rows } = await sql<{ table: string; count: number }>`
    select relname as table, seq_tup_read + coalesce(
      (select sum(idx_tup_read)::bigint from pg_stat_user_indexes indexes where indexes.relid = tables.relid), 0) as count
    from pg_stat_user_tables tables where schemaname = 'public'`.execute(db);
  return new Map(rows.map(({ table, count }) => [table, count]));
}

/** Each server process reports its counts with a delay, so all are asked to report at once. */
async function tellCounts(db: Database): Promise<void> {
  let asked = 0;
  let open = () => {};
  const allAreAsked = new Promise<void>((resolve) => (open = resolve));
  const tell = () =>
    db.connection().execute(async (connection) => {
      await sql`select pg_stat_force_next_flush()`.execute(connection);
      asked += 1;
      if (asked === connections) open();
      await allAreAsked;
    });
  await Promise.all(Array.from({ length: connections }, tell));
}
