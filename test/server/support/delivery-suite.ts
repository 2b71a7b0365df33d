import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LicensingStore } from '../../../src/server/index.js';
import { delivery, fact, link, state } from './stored.js';

/** What every store has to do with webhooks that were acknowledged, and with work that was left undone. */
export function deliverySuite(name: string, createStores: () => Promise<[LicensingStore, LicensingStore]>): void {
  suite(`${name}: deliveries`, () => {
    test('are new once and unsettled until they are settled', async () => {
      const [store, other] = await createStores();
      await store.saveLink(link(1));
      assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
      const accepted = await Promise.all(
        [store, other, store].map((each) => each.acceptDelivery('app_1', delivery('a'))),
      );
      assert.deepEqual(accepted.sort(), ['new', 'unsettled', 'unsettled']);
      assert.equal(await other.acceptDelivery('app_1', delivery('b')), 'new');
      const unsettled = await other.unsettledDeliveries('app_1');
      assert.deepEqual(
        unsettled.sort((left, right) => (left.id < right.id ? -1 : 1)),
        [delivery('a'), delivery('b')],
      );
      await other.settleDeliveries('app_1', ['a', 'unheard of']);
      assert.equal(await store.acceptDelivery('app_1', delivery('a')), 'settled');
      assert.deepEqual(await store.unsettledDeliveries('app_1'), [delivery('b')]);
      await store.settleDeliveries('app_1', ['b']);
      assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
    });

    test('of an application that is not there are not taken', async () => {
      const [store] = await createStores();
      await assert.rejects(store.acceptDelivery('app_9', delivery('a')));
    });

    test('are remembered for their last 200 ids, and not for ever', async () => {
      const [store] = await createStores();
      await store.saveLink(link(1));
      for (let number = 0; number < 1_000; number += 1) {
        await store.acceptDelivery('app_1', delivery(String(number)));
        await store.settleDeliveries('app_1', [String(number)]);
      }
      assert.equal(await store.acceptDelivery('app_1', delivery('800')), 'settled');
      assert.equal(await store.acceptDelivery('app_1', delivery('0')), 'new');
    });

    test('are not forgotten before they are settled, however many come after them', async () => {
      const [store] = await createStores();
      await store.saveLink(link(1));
      await store.acceptDelivery('app_1', delivery('old'));
      for (let number = 0; number < 300; number += 1) {
        await store.acceptDelivery('app_1', delivery(String(number)));
        await store.settleDeliveries('app_1', [String(number)]);
      }
      assert.deepEqual(await store.unsettledDeliveries('app_1'), [delivery('old')]);
    });

    test('are left work by the oldest that is unsettled', async () => {
      const [store, other] = await createStores();
      await store.saveLink(link(1));
      const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
      const leftAt = async (minute: number) =>
        (await other.applicationsWithLeftWork({ receivedBefore: at(minute), limit: 9 })).length === 1;
      for (const minute of [1, 5]) {
        await store.acceptDelivery('app_1', { ...delivery(String(minute)), receivedAt: at(minute) });
      }
      assert.deepEqual([await leftAt(1), await leftAt(2)], [false, true]);
      await other.settleDeliveries('app_1', ['1']);
      assert.deepEqual([await leftAt(2), await leftAt(6)], [false, true]);
    });

    test('that were left unsettled are found, the application once', async () => {
      const [store, other] = await createStores();
      for (const number of [1, 2, 3]) await store.saveLink(link(number));
      const query = { receivedBefore: '2026-11-20T12:00:00.001Z', limit: 10 };
      for (const id of ['a', 'b']) await store.acceptDelivery('app_1', delivery(id));
      await store.acceptDelivery('app_2', delivery('a'));
      assert.deepEqual((await other.applicationsWithLeftWork(query)).sort(), ['app_1', 'app_2']);
      assert.equal((await other.applicationsWithLeftWork({ ...query, limit: 1 })).length, 1);
      assert.deepEqual(
        await other.applicationsWithLeftWork({ ...query, receivedBefore: delivery('a').receivedAt }),
        [],
      );
      await store.settleDeliveries('app_1', ['a']);
      assert.deepEqual((await other.applicationsWithLeftWork(query)).sort(), ['app_1', 'app_2']);
      await store.settleDeliveries('app_1', ['b']);
      assert.deepEqual(await other.applicationsWithLeftWork(query), ['app_2']);
    });
  });

  test(`${name}: left work can be gone through page by page, whatever is left behind on the way`, async () => {
    const [store, other] = await createStores();
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await store.saveLink(link(number));
    // The oldest ones are not the first ones, and one has both kinds of it.
    for (const number of [6, 2, 4, 1, 7]) await store.acceptDelivery(`app_${String(number)}`, delivery('a'));
    for (const number of [5, 1]) await store.replaceState(`app_${String(number)}`, 0, state(1), [fact(number)]);
    const query = { receivedBefore: '2026-11-20T12:00:00.001Z', limit: 2 };
    const seen: string[] = [];
    for (let after: string | undefined; seen.length < 20;) {
      const page = await other.applicationsWithLeftWork({ ...query, after });
      seen.push(...page);
      after = page[1];
      if (after === undefined) break;
      // As one does who looks into what was found.
      await store.linkOfApplication(page[0] ?? '');
    }
    assert.deepEqual([...seen].sort(), ['app_1', 'app_2', 'app_4', 'app_5', 'app_6', 'app_7']);
    assert.deepEqual(await other.applicationsWithLeftWork({ ...query, after: seen.at(-1) }), []);
  });

  test(`${name}: left work is gone through once, though some of it is dealt with between the pages and some is not`, async () => {
    const [store, other] = await createStores();
    const ids = Array.from({ length: 25 }, (_, index) => `app_${String(index + 1)}`);
    for (const [index, id] of ids.entries()) {
      await store.saveLink(link(index + 1));
      // Several at each time, the later ones first.
      const receivedAt = new Date(Date.UTC(2026, 10, 20, 12, 10 - (index % 5))).toISOString();
      await store.acceptDelivery(id, { ...delivery('a'), receivedAt });
      if (index % 4 === 0) await store.replaceState(id, 0, state(1), [fact(index)]);
    }
    const query = { receivedBefore: '2026-11-20T12:30:00.000Z', limit: 4 };
    const seen: string[] = [];
    for (let after: string | undefined, page = ['']; page.length > 0 && seen.length < 50;) {
      page = await other.applicationsWithLeftWork({ ...query, after });
      seen.push(...page);
      after = page.at(-1);
      // The last one, behind which the next page begins, and one before it.
      for (const id of [page[1], after]) if (id !== undefined) await dealWith(store, id);
    }
    assert.deepEqual([...seen].sort(), [...ids].sort());
    const again = await other.applicationsWithLeftWork({ ...query, limit: 50 });
    const isDealtWith = (id: string) => seen.indexOf(id) % 4 === 1 || seen.indexOf(id) % 4 === 3;
    assert.deepEqual(again.sort(), ids.filter((id) => !isDealtWith(id) && id !== seen.at(-1)).sort());
  });
}

async function dealWith(store: LicensingStore, id: string): Promise<void> {
  await store.settleDeliveries(id, ['a']);
  for (const item of (await store.claimFacts(id, 'me', 60_000)) ?? []) {
    await store.strikeFact(id, 'me', item.fact.factId);
  }
  await store.releaseFacts(id, 'me');
}
