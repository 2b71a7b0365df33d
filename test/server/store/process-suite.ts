import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.js';
import { openStore, type StoreLocation } from './opened-stores.js';
import { openIds } from './record-suite.js';

const writerFile = fileURLToPath(new URL('record-writer.ts', import.meta.url));

/** A process that writes a record. */
function startWriter(t: TestContext, location: StoreLocation, id: string, writes: number) {
  const words = ['--import', 'tsx', '--no-warnings', writerFile, JSON.stringify(location), id, String(writes)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  return {
    /** The versions of its successful writes so far. */
    versions: () => output.split('\n').slice(0, -1).map(Number),
    kill: () => child.kill('SIGKILL'),
    /** Resolves with the exit code, `null` when it was killed. */
    exitCode: async () => ((await closed) as [number | null])[0],
  };
}

/** The requirements of a store that several processes open. */
export function processSuite(name: string, createLocation: () => Promise<StoreLocation>): void {
  test(`${name} gives every version of a record to one of two processes that compete`, async (t) => {
    const location = await createLocation();
    const { store, close } = await openStore(location);
    t.after(close);
    const writers = [1, 2].map(() => startWriter(t, location, 'contested', 100));
    for (const writer of writers) assert.equal(await writer.exitCode(), 0);
    const versions = writers.flatMap((writer) => writer.versions()).sort((left, right) => left - right);
    assert.deepEqual(
      versions,
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    const found = await store.get('contested');
    assert.deepEqual([found?.version, found?.delivered['progress']?.count], [200, 200]);
  });

  test(`${name} keeps acknowledged and complete records when a writing process is killed`, async (t) => {
    const location = await createLocation();
    const { store, close } = await openStore(location);
    t.after(close);
    for (const id of ['first', 'second', 'third']) {
      const writer = startWriter(t, location, id, Infinity);
      await until('some writes', () => writer.versions().length > 50);
      writer.kill();
      assert.equal(await writer.exitCode(), null);
      const acknowledged = writer.versions().at(-1) ?? 0;
      const found = await store.get(id);
      assert.ok(found);
      // The current write may have succeeded.
      assert.ok(
        found.version === acknowledged || found.version === acknowledged + 1,
        `${found.version} ${acknowledged}`,
      );
      assert.equal(found.delivered['progress']?.count, found.version);
      assert.equal((await openIds(store, 10)).includes(id), found.isOpen);
      assert.ok((await store.byUser(found.userId, 10)).some((each) => each.id === id));
    }
  });
}
