import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Fact, LicensingStore } from '../../../src/server/index.js';
import { deliverySuite } from './delivery-suite.js';
import { delivery, fact, link, state } from './stored.js';
import { until } from './until.js';

/** What is another one in the next session of the first application. */
const renewed = (name: string) => ({
  applicationId: 'app_1',
  sessionId: `ses_${name}`,
  reference: `ref_${name}`,
  applicationUrl: `https://apply.example/s/${name}`,
});

const minuteMs = 60_000;
const idsOf = (facts: readonly Fact[] | undefined) => facts?.map((item) => item.fact.factId.slice(-1)).join();

/** What every store has to do. `createStores` gives empty ones that share what they keep, as instances do. */
export function storeSuite(name: string, createStores: () => Promise<[LicensingStore, LicensingStore]>): void {
  suite(`${name}: links`, () => {
    test('are found by application, reference and user, the newest first', async () => {
      const [store, other] = await createStores();
      for (const each of [link(1), link(2, 'usr_2'), link(3)]) await store.saveLink(each);
      assert.deepEqual(await other.linkOfApplication('app_1'), link(1));
      assert.deepEqual(await other.linkOfReference('ref_2'), link(2, 'usr_2'));
      assert.deepEqual(await other.linksOfUser('usr_1', 10), [link(3), link(1)]);
      assert.deepEqual(await other.linksOfUser('usr_1', 1), [link(3)]);
      assert.equal(await store.linkOfApplication('app_9'), undefined);
      assert.equal(await store.linkOfReference('ref_9'), undefined);
      assert.deepEqual(await store.linksOfUser('usr_9', 10), []);
    });

    test('are not found by what is no id of any application', async () => {
      const [store] = await createStores();
      await store.saveLink(link(1));
      for (const id of [
        '',
        'app_1\u0000',
        '\u0000',
        '\ud83d',
        '__proto__',
        'constructor',
        'app_1 ',
        'x'.repeat(10_000),
      ]) {
        assert.equal(await store.linkOfApplication(id), undefined, id);
      }
    });

    test('of users are apart by every character: case, accents in either form, blanks', async () => {
      const [store] = await createStores();
      const users = ['usr', 'USR', 'usr ', 'us\u00e9', 'use\u0301', '__proto__', 'constructor', '*', 'usr:1', '%'];
      for (const [number, user] of users.entries()) await store.saveLink(link(number, user));
      for (const [number, user] of users.entries()) {
        assert.deepEqual(await store.linksOfUser(user, 10), [link(number, user)], user);
      }
    });

    test('are replaced by the next session of their application, and found by every reference', async () => {
      const [store, other] = await createStores();
      for (const each of [link(1), link(2)]) await store.saveLink(each);
      await store.replaceState('app_1', 0, state(1), [fact(1)]);
      await store.acceptDelivery('app_1', delivery('a'));
      await store.acceptDelivery('app_1', delivery('b'));
      await store.settleDeliveries('app_1', ['a']);
      // Nobody could go on with it, until now.
      await store.finish('app_1');
      const renewals = ['x', 'y', 'z'].map((name) => ({ ...link(3), ...renewed(name) }));
      await Promise.all(renewals.map((each, index) => (index % 2 === 0 ? store : other).saveLink(each)));
      const newest = await other.linkOfApplication('app_1');
      assert.ok(renewals.some((each) => JSON.stringify(each) === JSON.stringify(newest)));
      for (const reference of ['ref_1', 'ref_x', 'ref_y', 'ref_z']) {
        assert.deepEqual(await other.linkOfReference(reference), newest, reference);
      }
      assert.deepEqual(await store.linksOfUser('usr_1', 10), [newest, link(2)]);
      assert.deepEqual(await store.openLinks(undefined, 10), [newest, link(2)]);
      assert.deepEqual(await other.readState('app_1'), state(1));
      assert.equal(await other.acceptDelivery('app_1', delivery('a')), 'settled');
      assert.equal(await other.acceptDelivery('app_1', delivery('b')), 'unsettled');
      assert.equal(idsOf(await other.claimFacts('app_1', 'teller', minuteMs)), '1');
    });

    test('are open until they are finished, and can be gone through page by page', async () => {
      const [store, other] = await createStores();
      for (let number = 1; number <= 7; number += 1) await store.saveLink(link(number));
      await other.finish('app_4');
      const seen: string[] = [];
      let pages = 0;
      for (let after: string | undefined; ; pages += 1) {
        const page = await store.openLinks(after, 3);
        if (page.length === 0) break;
        seen.push(...page.map(({ applicationId }) => applicationId));
        after = page.at(-1)?.applicationId;
      }
      assert.deepEqual(seen.sort(), ['app_1', 'app_2', 'app_3', 'app_5', 'app_6', 'app_7']);
      assert.equal(pages, 2);
      assert.deepEqual(await other.linkOfApplication('app_4'), link(4));
    });
  });

  suite(`${name}: states`, () => {
    test('are replaced only by the version that was expected', async () => {
      const [store, other] = await createStores();
      await store.saveLink(link(1));
      assert.equal(await store.readState('app_1'), undefined);
      assert.equal(await store.replaceState('app_1', 1, state(2), []), false);
      const stores = [store, other, store, other, store];
      const winners = await Promise.all(stores.map((each) => each.replaceState('app_1', 0, state(1), [])));
      assert.equal(winners.filter(Boolean).length, 1);
      assert.deepEqual(await other.readState('app_1'), state(1));
      assert.equal(await other.replaceState('app_1', 1, state(2), []), true);
      assert.deepEqual(await store.readState('app_1'), state(2));
    });

    test('of an application that is not there cannot be kept', async () => {
      const [store] = await createStores();
      assert.equal(await store.replaceState('app_1', 0, state(1), []), false);
    });
  });

  deliverySuite(name, createStores);

  suite(`${name}: facts`, () => {
    async function withFacts() {
      const [store, other] = await createStores();
      await store.saveLink(link(1));
      assert.equal(await store.replaceState('app_1', 0, state(1), [fact(1), fact(2)]), true);
      return { store, other };
    }

    test('are kept with the state, in order, whole', async () => {
      const { store, other } = await withFacts();
      assert.equal(await store.replaceState('app_1', 0, state(1), [fact(8)]), false, 'and not without it');
      await other.replaceState('app_1', 1, state(2), [fact(3)]);
      assert.deepEqual(await other.claimFacts('app_1', 'me', minuteMs), [fact(1), fact(2), fact(3)]);
    });

    test('are given to one at a time', async () => {
      const { store, other } = await withFacts();
      const claims = await Promise.all(
        ['one', 'two', 'three', 'four'].map((holder, index) =>
          (index % 2 === 0 ? store : other).claimFacts('app_1', holder, minuteMs),
        ),
      );
      assert.equal(claims.filter((facts) => facts !== undefined).length, 1);
    });

    test('are struck one by one; then there is nothing to claim', async () => {
      const { store, other } = await withFacts();
      await store.claimFacts('app_1', 'one', minuteMs);
      assert.equal(await store.strikeFact('app_1', 'one', fact(1).fact.factId), true);
      assert.equal(await other.claimFacts('app_1', 'two', minuteMs), undefined);
      assert.equal(idsOf(await store.claimFacts('app_1', 'one', minuteMs)), '2', 'who has them may ask again');
      assert.equal(await store.strikeFact('app_1', 'one', fact(2).fact.factId), true);
      await store.releaseFacts('app_1', 'one');
      assert.equal(await other.claimFacts('app_1', 'two', minuteMs), undefined);
    });

    test('go to the next when they are released, by nobody but their holder', async () => {
      const { store, other } = await withFacts();
      await store.claimFacts('app_1', 'one', minuteMs);
      await other.releaseFacts('app_1', 'two');
      assert.equal(await other.claimFacts('app_1', 'two', minuteMs), undefined);
      await store.releaseFacts('app_1', 'one');
      assert.equal(idsOf(await other.claimFacts('app_1', 'two', minuteMs)), '1,2');
    });

    test('go to the next when the lease has ended, and the first one is told so', async () => {
      const { store, other } = await withFacts();
      await store.claimFacts('app_1', 'one', 1);
      await until('the end of the lease', async () => (await other.claimFacts('app_1', 'two', minuteMs)) !== undefined);
      assert.equal(await store.strikeFact('app_1', 'one', fact(1).fact.factId), false);
      assert.equal(
        idsOf(await other.claimFacts('app_1', 'two', minuteMs)),
        '2',
        'what was told is struck all the same',
      );
    });

    test('that nobody tells are left work', async () => {
      const { store, other } = await withFacts();
      const query = { receivedBefore: '1970-01-01T00:00:00.000Z', limit: 10 };
      assert.deepEqual(await other.applicationsWithLeftWork(query), ['app_1']);
      await store.claimFacts('app_1', 'one', minuteMs);
      assert.deepEqual(await other.applicationsWithLeftWork(query), []);
      await other.replaceState('app_1', 1, state(2), [fact(3)]);
      assert.deepEqual(await other.applicationsWithLeftWork(query), [], 'nor what was added meanwhile');
      await store.releaseFacts('app_1', 'one');
      assert.deepEqual(await other.applicationsWithLeftWork(query), ['app_1']);
      await store.claimFacts('app_1', 'one', 1);
      const isLeft = async () => (await other.applicationsWithLeftWork(query)).length === 1;
      await until('the end of the lease', isLeft);
      for (const number of [1, 2, 3]) await store.strikeFact('app_1', 'one', fact(number).fact.factId);
      await until('nothing to be left', async () => !(await isLeft()));
    });
  });

  test(`${name}: subscribers hear of their application, on every instance, until they leave`, async () => {
    const [store, other] = await createStores();
    for (const number of [1, 2]) await store.saveLink(link(number));
    let heard = 0;
    const hear = () => (heard += 1);
    const leave = await other.subscribe('app_1', hear);
    await other.subscribe('app_1', hear);
    let heardOfTwo = 0;
    await other.subscribe('app_2', () => (heardOfTwo += 1));
    await store.publish('app_1');
    await until('both', () => heard === 2);
    leave();
    await store.publish('app_1');
    await store.publish('app_2');
    await until('the last one', () => heardOfTwo === 1);
    assert.equal(heard, 3);
  });
}
