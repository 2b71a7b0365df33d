import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type ApplicationLink, type LicensingStore, type StoredState } from '../../src/server/index.js';

const link = (number: number, userId = 'usr_1'): ApplicationLink => ({
  applicationId: `app_${String(number)}`,
  sessionId: `ses_${String(number)}`,
  userId,
  reference: `ref_${String(number)}`,
  applicationUrl: `https://apply.example/s/${String(number)}`,
  returnState: 'state',
  applicationType: 'new',
  licenseType: 'life',
  states: ['TX'],
  createdAt: '2026-11-20T12:00:00.000Z',
});

const state = (version: number): StoredState => ({
  version,
  application: {
    ...link(1),
    progress: { step: 'profile', index: version, count: 6 },
    states: [],
  },
});

/** What every store has to do. */
function storeSuite(name: string, createStore: () => LicensingStore): void {
  suite(name, () => {
    test('finds links by application, reference and user, the newest first', async () => {
      const store = createStore();
      await store.saveLink(link(1));
      await store.saveLink(link(2, 'usr_2'));
      await store.saveLink(link(3));
      assert.deepEqual(await store.linkOfApplication('app_1'), link(1));
      assert.deepEqual(await store.linkOfReference('ref_2'), link(2, 'usr_2'));
      assert.deepEqual(await store.linksOfUser('usr_1'), [link(3), link(1)]);
      assert.equal(await store.linkOfApplication('app_9'), undefined);
      assert.equal(await store.linkOfReference('ref_9'), undefined);
      assert.deepEqual(await store.linksOfUser('usr_9'), []);
    });

    test('replaces a state only by the version that was expected', async () => {
      const store = createStore();
      await store.saveLink(link(1));
      assert.equal(await store.readState('app_1'), undefined);
      assert.equal(await store.replaceState('app_1', 1, state(2)), false);
      const winners = await Promise.all([1, 1, 1].map(() => store.replaceState('app_1', 0, state(1))));
      assert.deepEqual(winners.sort(), [false, false, true]);
      assert.equal(await store.replaceState('app_1', 1, state(2)), true);
      assert.equal((await store.readState('app_1'))?.version, 2);
    });

    test('accepts a delivery once and knows until when the application was read', async () => {
      const store = createStore();
      await store.saveLink(link(1));
      assert.equal(await store.unsettledMark('app_1'), 0);
      assert.deepEqual(await store.acceptDelivery('app_1', 'a'), { isDuplicate: false, mark: 1 });
      assert.deepEqual(await store.acceptDelivery('app_1', 'b'), { isDuplicate: false, mark: 2 });
      assert.deepEqual(await store.acceptDelivery('app_1', 'a'), { isDuplicate: true, mark: 2 });
      await store.settle('app_1', 1);
      assert.equal(await store.unsettledMark('app_1'), 2);
      await store.settle('app_1', 2);
      await store.settle('app_1', 1);
      assert.equal(await store.unsettledMark('app_1'), 0);
    });

    test('does not take a delivery of an application that it does not know', async () => {
      await assert.rejects(createStore().acceptDelivery('app_9', 'a'));
    });

    test('tells subscribers of their application until they leave', async () => {
      const store = createStore();
      await store.saveLink(link(1));
      await store.saveLink(link(2));
      let heard = 0;
      const hear = () => (heard += 1);
      const leave = await store.subscribe('app_1', hear);
      await store.subscribe('app_1', hear);
      await store.publish('app_1');
      await store.publish('app_2');
      assert.equal(heard, 2);
      leave();
      await store.publish('app_1');
      assert.equal(heard, 3);
    });
  });
}

storeSuite('memoryStore', () => memoryStore());

suite('memoryStore is bounded', () => {
  test('forgets the application used least recently that nobody watches, whole', async () => {
    const store = memoryStore({ maxApplications: 3 });
    for (const number of [1, 2, 3]) await store.saveLink(link(number));
    await store.subscribe('app_1', () => undefined);
    await store.linkOfReference('ref_2');
    await store.saveLink(link(4));
    const left = (await store.linksOfUser('usr_1')).map(({ applicationId }) => applicationId);
    assert.deepEqual(left, ['app_4', 'app_2', 'app_1']);
    assert.equal(await store.linkOfApplication('app_3'), undefined);
    assert.equal(await store.linkOfReference('ref_3'), undefined);
  });

  test('keeps the last 200 ids of deliveries', async () => {
    const store = memoryStore();
    await store.saveLink(link(1));
    for (let number = 0; number <= 200; number += 1) await store.acceptDelivery('app_1', String(number));
    assert.equal((await store.acceptDelivery('app_1', '1')).isDuplicate, true);
    assert.equal((await store.acceptDelivery('app_1', '0')).isDuplicate, false);
  });
});
