import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { coalesceByKey } from '../../../src/server/applications/coalesce.js';
import { manualClock } from '../support/manual-clock.js';

function setup() {
  const clock = manualClock();
  const readings = coalesceByKey<number>(clock, { pauseMs: 100, maxInARow: 3 });
  let begun = 0;
  const read = () => readings.run('app_1', () => Promise.resolve((begun += 1)));
  return { clock, read, begun: () => begun };
}

suite('how often an application is read', () => {
  test('as often as asked at first, then once a pause, and who waits shares the next reading', async () => {
    const { clock, read, begun } = setup();
    for (const expected of [1, 2, 3]) assert.equal(await read(), expected);
    const waiting = [read(), read(), read()];
    await clock.advance(99);
    assert.equal(begun(), 3);
    await clock.advance(1);
    assert.deepEqual(await Promise.all(waiting), [4, 4, 4]);
  });

  test('a flood is bounded, however long it lasts', async () => {
    const { clock, read, begun } = setup();
    for (let elapsedMs = 0; elapsedMs < 2_000; elapsedMs += 10) {
      void read();
      await clock.advance(10);
    }
    assert.ok(begun() <= 3 + 20, `${String(begun())} readings`);
  });

  test('who comes while one is under way gets the one after it', async () => {
    const { clock, read } = setup();
    const all = Promise.all([read(), read(), read()]);
    await clock.advance(0);
    assert.deepEqual(await all, [1, 2, 2]);
  });

  test('a clock that is set back makes nobody wait longer than a pause', async () => {
    const { clock, read } = setup();
    for (const expected of [1, 2, 3]) assert.equal(await read(), expected);
    clock.leap(-3_600_000);
    const waiting = read();
    await clock.advance(100);
    assert.equal(await waiting, 4);
  });
});
