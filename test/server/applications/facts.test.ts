import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type Fact, type LicensingStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { manualClock } from '../support/manual-clock.js';
import { partner, webhook } from '../support/partner.js';
import { scriptedBridge } from '../support/scripted-bridge.js';
import { until } from '../support/until.js';

const names = (facts: readonly Fact[]) => facts.map(({ listener, fact }) => ('state' in fact ? fact.state : listener));

/** Instances that share a clock, a bridge and a store. */
function shared() {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  return { clock, bridge, store: memoryStore({ clock }) };
}

/** A store as an instance sees it that ends at the named call: that one and all later ones never come to an end. */
function endingAt(
  store: LicensingStore,
  last: keyof LicensingStore,
): { store: LicensingStore; hasEnded: () => boolean } {
  let hasEnded = false;
  const call = (name: string, method: (...input: never[]) => unknown) =>
    function dyingMethod(...input: never[]) {
      hasEnded ||= name === last;
      return hasEnded ? new Promise<never>(() => undefined) : method(...input);
    };
  const methods = Object.entries(store).map(([name, method]) => [name, call(name, method as never)]);
  return { store: Object.fromEntries(methods) as LicensingStore, hasEnded: () => hasEnded };
}

suite('a fact is not lost when the instance ends', () => {
  const moments: [when: string, last: keyof LicensingStore, toldByFirst: number][] = [
    ['after the delivery was acknowledged', 'unsettledDeliveries', 0],
    ['before the state is kept', 'replaceState', 0],
    ['between keeping the fact and telling it', 'claimFacts', 0],
    ['between telling it and striking it off', 'strikeFact', 1],
    ['before it says that it is done', 'releaseFacts', 3],
  ];
  for (const [when, last, toldByFirst] of moments) {
    test(when, async (t) => {
      const { clock, bridge, store } = shared();
      const dying = endingAt(store, last);
      const told: Fact[] = [];
      const first = partner(t, {
        clock,
        bridge,
        store: dying.store,
        isLeftOpen: true,
        on: {
          submitted: (fact) => told.push({ listener: 'submitted', fact }),
          status: (fact) => told.push({ listener: 'status', fact }),
        },
      });
      const { webhookUrl } = await first.begin();
      bridge.move('app_1', submitted);
      assert.equal((await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
      await clock.advance(1_000);
      assert.equal(dying.hasEnded(), true);
      assert.equal(told.length, toldByFirst);

      // Another instance, which is only asked for something else.
      const second = partner(t, { clock, bridge, store });
      await second.request('/nowhere');
      await second.request('/applications', { user: 'usr_9' });
      await clock.advance(3 * 60_000);
      const expected = ['submitted', 'TX', 'CA'].slice(last === 'releaseFacts' ? 3 : 0);
      assert.deepEqual(names(second.facts), expected);
      const again = second.facts.filter(({ fact }) => told.some((each) => each.fact.factId === fact.factId));
      assert.equal(again.length, last === 'strikeFact' ? 1 : 0, 'again only what was told and not struck off');
      const left = await store.applicationsWithLeftWork({ receivedBefore: '2100-01-01T00:00:00.000Z', limit: 9 });
      assert.deepEqual(left, []);
    });
  }

  test('and its delivery has a verdict all the same', async (t) => {
    const { clock, bridge, store } = shared();
    const first = partner(t, { clock, bridge, store: endingAt(store, 'unsettledDeliveries').store, isLeftOpen: true });
    const { webhookUrl } = await first.begin();
    await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    const second = partner(t, { clock, bridge, store });
    await second.request('/applications');
    await clock.advance(3 * 60_000);
    assert.deepEqual(
      second.verdicts.map(({ id, type, outcome, checks }) => [id, type, outcome, checks[0]?.name]),
      [['evt_1', 'application.submitted', 'accepted', 'taken-over']],
    );
  });

  test('nor when it is told by reconcile() at the next start', async (t) => {
    const { clock, bridge, store } = shared();
    const first = partner(t, { clock, bridge, store: endingAt(store, 'claimFacts').store, isLeftOpen: true });
    const { webhookUrl } = await first.begin();
    bridge.move('app_1', submitted);
    await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(1_000);
    const second = partner(t, { clock, bridge, store });
    await second.handler.reconcile();
    assert.deepEqual(names(second.facts), ['submitted', 'TX', 'CA']);
  });
});

suite('a listener that throws', () => {
  test('is told again, with growing pauses, and keeps the order', async (t) => {
    const { clock, bridge, store } = shared();
    let failures = 3;
    const told: string[] = [];
    const factIds = new Set<string>();
    const { begin, postWebhook, entries, verdicts } = partner(t, {
      clock,
      bridge,
      store,
      on: {
        submitted({ factId }) {
          factIds.add(factId);
          if ((failures -= 1) >= 0) return Promise.reject(new Error('SSN 900-11-0001'));
          return told.push('submitted');
        },
        status: ({ state }) => told.push(state),
        webhook: (verdict) => verdicts.push(verdict),
      },
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(6_900);
    assert.deepEqual(told, []);
    await clock.advance(100);
    await until('all', () => told.length === 3);
    assert.deepEqual(told, ['submitted', 'TX', 'CA']);
    assert.equal(factIds.size, 1);
    assert.deepEqual(
      entries.filter(({ event }) => event === 'listener.failed').map(({ tries }) => tries),
      [1, 2, 3],
    );
    assert.doesNotMatch(JSON.stringify(entries), /900-11/);
  });

  test('is given up after the eighth time, and the next fact is told', async (t) => {
    const { clock, bridge, store } = shared();
    let tries = 0;
    const told: string[] = [];
    const { begin, postWebhook, entries } = partner(t, {
      clock,
      bridge,
      store,
      on: {
        submitted() {
          tries += 1;
          throw new Error('never');
        },
        status: ({ state }) => told.push(state),
      },
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(120_000);
    assert.deepEqual([tries, told], [7, []]);
    await clock.advance(10_000);
    await until('the states', () => told.length === 2);
    assert.equal(tries, 8);
    assert.equal(entries.filter(({ isGivenUp }) => isGivenUp === true).length, 1);
  });

  test('does not hold up other applications, nor close(); another instance goes on with it', async (t) => {
    const { clock, bridge, store } = shared();
    const told: string[] = [];
    const first = partner(t, {
      clock,
      bridge,
      store,
      on: {
        submitted({ applicationId }) {
          if (applicationId === 'app_1') throw new Error('never');
          told.push(applicationId);
        },
      },
    });
    const one = await first.begin();
    const two = await first.begin('usr_2');
    for (const id of ['app_1', 'app_2']) bridge.move(id, submitted);
    await first.postWebhook(one.webhookUrl, { id: 'evt_1' });
    await first.postWebhook(two.webhookUrl, { id: 'evt_2' });
    await until('the other application', () => told.length === 1);
    await first.stop();
    const second = partner(t, { clock, bridge, store });
    await second.handler.reconcile();
    assert.deepEqual(names(second.facts), ['submitted']);
  });

  test('of verdicts is logged and told nothing again', async (t) => {
    let told = 0;
    const { begin, postWebhook, entries, clock } = partner(t, {
      on: {
        webhook() {
          told += 1;
          throw new Error('no');
        },
      },
    });
    const { webhookUrl } = await begin();
    await postWebhook(webhookUrl, { id: 'evt_1' });
    await until('the log line', () => entries.some(({ listener }) => listener === 'webhook'));
    await clock.advance(60_000);
    assert.equal(told, 1);
  });
});

suite('a listener that takes its time', () => {
  test('keeps others from telling the same, also beyond the lease', async (t) => {
    const { clock, bridge, store } = shared();
    let finish = () => {};
    let told = 0;
    const slow = {
      submitted: () => {
        told += 1;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    };
    const first = partner(t, { clock, bridge, store, on: slow });
    const second = partner(t, { clock, bridge, store, on: slow });
    const { webhookUrl } = await first.begin();
    bridge.move('app_1', submitted);
    await first.postWebhook(webhookUrl, { id: 'evt_1' });
    await until('the listener', () => told === 1);
    for (let minute = 0; minute < 5; minute += 1) {
      await second.request('/applications');
      await clock.advance(60_000);
    }
    finish();
    await clock.advance(60_000);
    assert.equal(told, 1);
  });

  test('nobody listens: nothing is kept to be told', async (t) => {
    const { clock, bridge, store } = shared();
    const { begin, postWebhook } = partner(t, { clock, bridge, store, on: { progress: () => undefined } });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, { id: 'evt_1' });
    await until('the state', async () => (await store.readState('app_1')) !== undefined);
    assert.equal(await store.claimFacts('app_1', 'anybody', 1), undefined);
  });
});
