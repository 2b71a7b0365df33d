import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMutex } from '../../../src/bridge/domain/mutex.js';

test('Tasks of the same name run one after another, in order of arrival.', async () => {
  const withMutex = createMutex();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(['a', 'b', 'c'].map((name) => withMutex('list', work(name))));
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('Tasks of different names do not wait for each other.', async () => {
  const withMutex = createMutex();
  let release: (result: string) => void = () => undefined;
  const first = withMutex('one', () => new Promise<string>((resolve) => (release = resolve)));
  assert.equal(await withMutex('two', () => Promise.resolve('two')), 'two');
  release('one');
  assert.equal(await first, 'one');
});

test('A failed task rejects for its caller, and the next one runs.', async () => {
  const withMutex = createMutex();
  const failed = withMutex('list', () => Promise.reject(new Error('broken')));
  const next = withMutex('list', () => Promise.resolve('next'));
  await assert.rejects(failed, /broken/);
  assert.equal(await next, 'next');
  assert.equal(await withMutex('list', () => Promise.resolve('later')), 'later');
});
