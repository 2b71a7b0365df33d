import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createWorkLoop } from '../../../src/bridge/outbox/work-loop.js';

/** A loop whose polls the test answers, with a clock that the test moves. */
function setup(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answers: { resolve: (isMoreThere: boolean) => void; reject: (error: Error) => void }[] = [];
  const errors: unknown[] = [];
  let count = 0;
  const loop = createWorkLoop({
    poll() {
      count += 1;
      return new Promise<boolean>((resolve, reject) => answers.push({ resolve, reject }));
    },
    onError: (error) => void errors.push(error),
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    loop,
    errors,
    count: () => count,
    async answer(isMoreThere: boolean | Error) {
      const poll = answers.shift();
      assert.ok(poll);
      if (isMoreThere instanceof Error) poll.reject(isMoreThere);
      else poll.resolve(isMoreThere);
      await settled();
    },
    async pass(ms: number) {
      t.mock.timers.tick(ms);
      await settled();
    },
  };
}

test('A loop polls at its start, then every second, and again at once while there is more.', async (t) => {
  const { loop, count, answer, pass } = setup(t);
  assert.equal(count(), 0);
  loop.start();
  loop.start();
  assert.equal(count(), 1);
  await answer(true);
  assert.equal(count(), 2);
  await answer(false);
  await pass(999);
  assert.equal(count(), 2);
  await pass(1);
  assert.equal(count(), 3);
});

test('A loop that is woken polls at once: while it waits, and after a poll that was in progress.', async (t) => {
  const { loop, count, answer } = setup(t);
  loop.start();
  await answer(false);
  loop.wake();
  await new Promise(setImmediate);
  assert.equal(count(), 2);
  loop.wake();
  await answer(false);
  assert.equal(count(), 3);
  await answer(false);
  assert.equal(count(), 3);
});

test('A failed poll is reported, and the next one follows a second later.', async (t) => {
  const { loop, errors, count, answer, pass } = setup(t);
  loop.start();
  await answer(new Error('away'));
  assert.deepEqual([errors, count()], [[new Error('away')], 1]);
  await pass(1_000);
  assert.equal(count(), 2);
});

test('A stop waits for the current poll, and no other follows, even if there is more.', async (t) => {
  const { loop, count, answer, pass } = setup(t);
  loop.start();
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  assert.equal(isStopped, false);
  await answer(true);
  await stopping;
  await pass(1_000);
  assert.equal(count(), 1);
});

test('A stop ends the wait between two polls, and a loop that was never started stops at once.', async (t) => {
  const { loop, answer, count } = setup(t);
  await createWorkLoop({ poll: () => Promise.resolve(true), onError: () => undefined }).stop();
  loop.start();
  await answer(false);
  await loop.stop();
  assert.equal(count(), 1);
});
