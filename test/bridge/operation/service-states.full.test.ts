import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createWebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { testDatabase } from '../../support/database.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor } from '../apply/support/visitor.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';
import { serviceStates, type ServiceState } from './service-states.js';

const twoDaysMs = 2 * 86_400_000;

/** A bridge whose surroundings a test changes, with an application and a webhook that is due. */
async function setup(t: TestContext) {
  const database = await testDatabase();
  t.after(() => database.stop());
  const proxy = await startTcpProxy(Number(new URL(database.url).port));
  t.after(() => proxy.close());
  const url = new URL(database.url);
  url.port = String(proxy.port);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const surroundings = { aheadMs: 0, areNamesKnown: true };
  const clock = () => new Date(Date.now() + surroundings.aheadMs);
  const sender = createWebhookSender(clock, {
    isLoopbackAllowed: true,
    connector: {
      resolve(_, callback) {
        if (surroundings.areNamesKnown) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }), []);
      },
    },
  });
  const service = await startApplyService({
    clock,
    sender,
    environment: {
      DATABASE_URL: url.href,
      BRIDGE_CONNECT_TIMEOUT: '2',
      BRIDGE_RATE_LIMIT: '100000',
      BRIDGE_WEBHOOK_RETRY_SCALE: '0.01',
    },
  });
  t.after(() => service.stop());
  // Tried again on a new connection, which needs the name of the host.
  receiver.answers.push((response) => response.writeHead(500, { connection: 'close' }).end());
  const session = await service.createSession({ webhookUrl: receiver.url.replace('127.0.0.1', 'hooks.localhost') });
  await createVisitor().get(session.applicationUrl);
  await receiver.arrival(1);
  return { database, proxy, receiver, surroundings, service, session };
}

type Setup = Awaited<ReturnType<typeof setup>>;

/** Lets every statement that writes fail with an error of the server. */
async function failWrites(db: Database, code: string): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  const forAll = (statement: (name: string) => string) =>
    sql.raw(rows.map(({ name }) => statement(`"${name}"`)).join(';')).execute(db);
  await sql
    .raw(
      `create or replace function fail_write() returns trigger language plpgsql as
        $$ begin raise exception 'no' using errcode = '${code}'; end $$`,
    )
    .execute(db);
  await forAll(
    (name) => `create trigger fail before insert or update or delete on ${name} execute function fail_write()`,
  );
  return async () => {
    await forAll((name) => `drop trigger fail on ${name}`);
  };
}

/** Brings a state about. Resolves with the function that ends it. */
const bringAbout: Record<keyof typeof serviceStates, (given: Setup) => Promise<() => Promise<void> | void>> = {
  gone: ({ proxy }) => {
    proxy.cut();
    return Promise.resolve(() => {
      proxy.restore();
    });
  },
  vanished: ({ proxy }) => {
    proxy.fallSilent();
    return Promise.resolve(() => {
      proxy.restore();
    });
  },
  async readOnly({ database }) {
    const name = new URL(database.url).pathname.slice(1);
    await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(database.db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
    return async () => {
      await sql.raw(`alter database ${name} reset all`).execute(database.db);
    };
  },
  diskFull: ({ database }) => failWrites(database.db, '53100'),
  outOfMemory: ({ database }) => failWrites(database.db, '53200'),
  clockAhead: ({ surroundings }) => {
    surroundings.aheadMs = twoDaysMs;
    return Promise.resolve(() => {
      surroundings.aheadMs = 0;
    });
  },
  noNames: ({ surroundings }) => {
    surroundings.areNamesKnown = false;
    return Promise.resolve(() => {
      surroundings.areNamesKnown = true;
    });
  },
};

for (const [name, state] of Object.entries(serviceStates) as [keyof typeof serviceStates, ServiceState][]) {
  test(`The bridge answers as documented when ${state.when}, and as before afterwards.`, async (t) => {
    const given = await setup(t);
    const { service, session, receiver } = given;
    const write = () => service.call('PATCH', '/v1/users/usr_1/licensing-profile', { body: { firstName: 'Ana' } });
    const read = () => service.call('GET', `/v1/applications/${session.applicationId}`);
    const answers = async () => {
      const all = [await write(), await read(), await createVisitor().get(session.applicationUrl)];
      const ready = await service.call('GET', '/readyz');
      for (const { status, headers } of all)
        if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      const [ofWrite, ofRead, ofPage] = all.map(({ status }) => status);
      return { write: ofWrite, read: ofRead, page: ofPage, ready: ready.status };
    };
    const end = await bringAbout[name](given);
    const { when: _, webhook, ...documented } = state;
    // Each connection of the pool notices it by itself.
    await answers();
    assert.deepEqual(await answers(), documented);

    receiver.answers.splice(0, Infinity, 200);
    const attempts = async () =>
      (await given.database.db.selectFrom('webhookAttempt').select(['error', 'status']).execute()).map(
        ({ error, status }) => error ?? status,
      );
    if (webhook === 'tried again') await until(attempts, (all) => all.includes('dns_failed'));
    if (webhook === 'sent') await until(attempts, (all) => all.includes(200));
    await end();
    await until(attempts, (all) => all.includes(200));
    const normal = { write: 200, read: 200, page: 200, ready: 200 };
    await until(answers, (all) => JSON.stringify(all) === JSON.stringify(normal));
  });
}
