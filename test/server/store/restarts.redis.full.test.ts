import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { LicensingStore } from '../../../src/server/index.js';
import { postgresStore } from '../../../src/server/postgres.js';
import { redisStore } from '../../../src/server/redis.js';
import { startPostgres } from '../../accidents/postgres-server.js';
import { startDebianPostgres } from '../../support/debian-postgres.mjs';
import { approved, submitted } from '../support/applications.js';
import { startInstances } from '../support/instances.js';
import { testRedis } from '../support/redis.js';

/** Stores of two instances on a server that can be restarted. */
interface RestartableStores {
  stores: LicensingStore[];
  restarts: (() => Promise<void>)[];
}

const servers: Record<string, (t: TestContext) => Promise<RestartableStores>> = {
  async Redis(t) {
    const redis = await testRedis({ isDurable: true });
    t.after(() => redis.stop());
    const stores = [await redis.client(), await redis.client()].map((client) => redisStore(client));
    for (const store of stores) t.after(() => store.close());
    return { stores, restarts: [() => redis.restart('SIGTERM'), () => redis.restart('SIGKILL')] };
  },
  async PostgreSQL(t) {
    const server = await (process.env['TEST_DATABASE_URL'] === undefined ? startPostgres() : startDebianPostgres());
    t.after(() => server.stop());
    const stores = [1, 2].map(() => {
      const pool = new pg.Pool({ connectionString: server.url, max: 8 });
      pool.on('error', () => undefined);
      const store = postgresStore(pool);
      t.after(async () => {
        await store.close();
        await pool.end();
      });
      return store;
    });
    await stores[0]?.migrate();
    return { stores, restarts: [() => server.restart('fast'), () => server.restart('immediate')] };
  },
};

const steps = ['profile', 'identity', 'background', 'disclosures', 'payment', 'review'];
const moves = [
  ...steps.map((step, index) => ({ progress: { step, index: index + 1, count: 6 } })),
  submitted,
  approved,
];

/** For as long as the test may take: how long a server is away, the machine decides, and pauses grow with that. */
async function eventually({ signal }: TestContext, condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50, undefined, { signal });
}

/** Sends a webhook as the bridge does: again and again until it is acknowledged. */
async function deliver({ signal }: TestContext, url: string, id: string): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, type: 'unheard.of' }),
        signal: AbortSignal.timeout(10_000),
      });
      await answer.arrayBuffer();
      if (answer.status === 202) return;
    } catch {
      // The connection broke: it is sent again.
    }
    await pause(50, undefined, { signal });
  }
}

for (const [name, start] of Object.entries(servers)) {
  suite(`two instances while ${name} is restarted, once in order and once not`, () => {
    test('lose no webhook, tell no fact twice, and their streams go on', { timeout: 120_000 }, async (t) => {
      const { stores, restarts } = await start(t);
      const { all, begin, bridge, url } = await startInstances(t, stores);
      const begun = await Promise.all(Array.from({ length: 8 }, () => begin('usr_1')));
      const texts = await Promise.all(
        begun.map(async ({ applicationId }, index) => {
          const instance = all[index % 2];
          const stream = await fetch(`${instance?.url ?? ''}/licensing/applications/${applicationId}/events`, {
            headers: { 'x-user': 'usr_1' },
          });
          const text = { sofar: '', hasEnded: false };
          void (async () => {
            const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
            t.after(() => reader?.cancel().catch(() => undefined));
            for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
              text.sofar += part.value;
            text.hasEnded = true;
          })().catch(() => (text.hasEnded = true));
          return text;
        }),
      );
      for (const [chapter, move] of moves.entries()) {
        for (const { applicationId } of begun) bridge.move(applicationId, move);
        const restarting = chapter === 2 ? restarts[0]?.() : chapter === 5 ? restarts[1]?.() : undefined;
        await Promise.all([
          restarting,
          ...begun.map(({ webhookPath }) => deliver(t, `${url}${webhookPath}`, `evt_${String(chapter)}`)),
        ]);
      }
      for (const text of texts) {
        await eventually(t, () => text.sofar.includes('"approved"'));
        assert.equal(text.hasEnded, false, 'on the same stream');
      }
      const facts = () => all.flatMap((instance) => instance.facts);
      const decided = () => facts().filter(({ fact }) => 'status' in fact && fact.status === 'approved').length;
      await eventually(t, async () => {
        for (const { handler } of all) await handler.reconcile();
        return decided() >= begun.length * 2;
      });
      const ids = facts().map(({ fact }) => fact.factId);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        'no fact twice',
      );
      for (const { applicationId } of begun) {
        const told = facts().filter(({ fact }) => fact.applicationId === applicationId);
        assert.equal(told.filter(({ listener }) => listener === 'submitted').length, 1);
      }
      const everything = { receivedBefore: '2100-01-01T00:00:00.000Z', limit: 10 };
      await eventually(t, async () => (await stores[0]?.applicationsWithLeftWork(everything))?.length === 0);
    });
  });
}
