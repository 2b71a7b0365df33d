import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { storeSuite } from '../support/store-suite.js';
import { link } from '../support/stored.js';

storeSuite('memoryStore', () => {
  const store = memoryStore();
  return Promise.resolve([store, store]);
});

suite('memoryStore is bounded', () => {
  test('forgets the application used least recently that nobody watches, whole', async () => {
    const store = memoryStore({ maxApplications: 3 });
    for (const number of [1, 2, 3]) await store.saveLink(link(number));
    await store.subscribe('app_1', () => undefined);
    await store.linkOfReference('ref_2');
    await store.saveLink(link(4));
    const left = (await store.linksOfUser('usr_1', 10)).map(({ applicationId }) => applicationId);
    assert.deepEqual(left, ['app_4', 'app_2', 'app_1']);
    assert.equal(await store.linkOfApplication('app_3'), undefined);
    assert.equal(await store.linkOfReference('ref_3'), undefined);
  });
});

test('a store without room is a mistake that is noticed at once, not with the first session', () => {
  for (const maxApplications of [0, -1, NaN]) assert.throws(() => memoryStore({ maxApplications }), TypeError);
});
