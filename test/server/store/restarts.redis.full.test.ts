import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../bridge/chaos/postgres-server.js';
import { startDebianPostgres } from '../../support/debian-postgres.mjs';
import { testRedis } from '../support/redis.js';
import { openStore, type StoreLocation } from './opened-stores.js';
import { openIds, record } from './record-suite.js';

/** A server that waits for its disk, and the ways to restart it. */
interface RestartableServer {
  location: StoreLocation;
  restarts: Record<string, () => Promise<void>>;
}

const servers: Record<string, (t: TestContext) => Promise<RestartableServer>> = {
  async redisStore(t) {
    // `appendfsync always`: with the default, the last second could be lost.
    const redis = await testRedis({ isDurable: true });
    t.after(() => redis.stop());
    return {
      location: { kind: 'redis', url: redis.url, prefix: '{restarts}:' },
      restarts: { orderly: () => redis.restart('SIGTERM'), killed: () => redis.restart('SIGKILL') },
    };
  },
  async postgresStore(t) {
    const server = await (process.env['TEST_DATABASE_URL'] === undefined ? startPostgres() : startDebianPostgres());
    t.after(() => server.stop());
    return {
      location: { kind: 'postgres', url: server.url, schema: 'restarts' },
      restarts: { orderly: () => server.restart('fast'), killed: () => server.restart('immediate') },
    };
  },
};

for (const [name, start] of Object.entries(servers)) {
  suite(name, () => {
    test(`${name} loses no acknowledged write when its server restarts.`, { timeout: 120_000 }, async (t) => {
      const { location, restarts } = await start(t);
      const [writer, reader] = [await openStore(location), await openStore(location)];
      for (const each of [writer, reader]) t.after(each.close);
      const { id } = record(1);
      let acknowledged = 0;
      for (const [way, restart] of Object.entries(restarts)) {
        const restartAt = acknowledged + 100;
        const back = new AbortController();
        let restarting: Promise<void> | undefined;
        // Writes without a pause, so that a write is in progress when the server ends.
        for (let version = acknowledged; !back.signal.aborted;) {
          if (version > restartAt) restarting ??= restart().finally(() => back.abort());
          try {
            const isWritten = await writer.store.put(record(1, { version: version + 1, isOpen: version % 2 === 0 }));
            if (isWritten) acknowledged = version += 1;
            // The previous write succeeded, and its response was lost.
            else version = (await writer.store.get(id))?.version ?? 0;
          } catch {
            await pause(20, undefined, { signal: t.signal });
          }
          assert.ok(version >= acknowledged, `${way}: version ${version} after ${acknowledged}`);
        }
        await restarting;
        const found = await reader.store.get(id);
        assert.ok(found && found.version >= acknowledged, `${way}: version ${found?.version} after ${acknowledged}`);
        assert.deepEqual(await openIds(reader.store, 10), found.isOpen ? [id] : [], way);
        assert.deepEqual(await reader.store.byUser('usr_1', 10), [found], way);
        acknowledged = found.version;
      }
    });
  });
}
