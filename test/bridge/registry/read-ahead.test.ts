import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAhead } from '../../../src/bridge/registry/import-file.js';

/** Numbers from 1 to 3, then optionally a failure. Records how the source ended. */
async function* source(notes: string[], failure?: Error): AsyncGenerator<number, void> {
  try {
    for (const item of [1, 2, 3]) {
      notes.push(`made ${item}`);
      yield await Promise.resolve(item);
    }
    if (failure) throw failure;
  } finally {
    notes.push('closed');
  }
}

test('Reading ahead keeps the order, and is one item ahead at most.', async () => {
  const notes: string[] = [];
  for await (const item of readAhead(source(notes))) {
    await new Promise(setImmediate);
    notes.push(`took ${item}`);
  }
  assert.deepEqual(notes, ['made 1', 'made 2', 'took 1', 'made 3', 'took 2', 'closed', 'took 3']);
});

test('A failing source ends the reading after its last item.', async () => {
  const [notes, taken]: [string[], number[]] = [[], []];
  const failure = new Error('unreadable');
  const reading = (async () => {
    for await (const item of readAhead(source(notes, failure))) taken.push(item);
  })();
  await assert.rejects(reading, failure);
  assert.deepEqual(taken, [1, 2, 3]);
});

test('A consumer that stops closes the source.', async () => {
  const notes: string[] = [];
  for await (const item of readAhead(source(notes))) if (item === 1) break;
  assert.equal(notes.at(-1), 'closed');
  assert.equal(notes.includes('made 3'), false);
});
