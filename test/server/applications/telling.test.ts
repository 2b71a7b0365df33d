import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { memoryStore, type Fact } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { manualClock } from '../support/manual-clock.js';
import { partner } from '../support/partner.js';
import { scriptedBridge, type ScriptedBridge } from '../support/scripted-bridge.js';

const names = (facts: readonly Fact[]) => facts.map(({ listener, fact }) => ('state' in fact ? fact.state : listener));

/** Two instances on one store. What the first one is told first takes until it is let go. */
async function withSlowListener(t: TestContext, change: Parameters<ScriptedBridge['move']>[1]) {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  const store = memoryStore({ clock });
  const shared = { clock, bridge, store };
  const told: string[] = [];
  let hasWaited = false;
  let letGo = () => {};
  async function slowly(name: string) {
    if (!hasWaited) await new Promise<void>((resolve) => (letGo = resolve));
    hasWaited = true;
    told.push(name);
  }
  const first = partner(t, {
    ...shared,
    on: {
      progress: () => slowly('progress'),
      submitted: () => slowly('submitted'),
      status: ({ state }) => told.push(state),
    },
  });
  const second = partner(t, shared);
  const { webhookUrl } = await first.begin();
  bridge.move('app_1', change);
  await first.postWebhook(webhookUrl, { id: 'evt_1' });
  await clock.advance(100);
  return {
    clock,
    bridge,
    store,
    told,
    second,
    webhookUrl,
    letGo: () => {
      letGo();
    },
  };
}

suite('the facts of one application', () => {
  test('that another instance finds meanwhile are told by the one that is telling, in order', async (t) => {
    const { clock, bridge, told, second, webhookUrl, letGo } = await withSlowListener(t, {
      progress: { step: 'identity', index: 2, count: 6 },
    });
    bridge.move('app_1', submitted);
    await second.postWebhook(webhookUrl, { id: 'evt_2' });
    await clock.advance(1_000);
    assert.deepEqual([told, second.facts], [[], []]);
    letGo();
    await clock.advance(100);
    assert.deepEqual(told, ['progress', 'submitted', 'TX', 'CA']);
    assert.deepEqual(second.facts, []);
  });

  test('are not told on by an instance that was away for so long that another one took over', async (t) => {
    const { clock, told, second, letGo } = await withSlowListener(t, submitted);
    // Its timers stand still, as those of a frozen process do.
    clock.leap(60_000);
    await second.handler.reconcile();
    assert.deepEqual(names(second.facts), ['submitted', 'TX', 'CA']);
    letGo();
    await clock.advance(1_000);
    assert.deepEqual(told, ['submitted']);
  });
});

suite('a state that asks for more', () => {
  const asking = (actionUrl?: string) => ({
    ...submitted,
    states: [
      {
        state: 'TX',
        status: 'requires_action',
        updatedAt: '2026-11-20T12:01:00.000Z',
        ...(actionUrl === undefined ? {} : { actionUrl }),
      },
    ],
  });

  test('is told again when its link is another one, and not before there is one', async (t) => {
    const { begin, bridge, facts, clock, handler } = partner(t);
    await begin();
    const links = [undefined, 'https://apply.example/a/1', 'https://apply.example/a/1', 'https://apply.example/a/2'];
    for (const link of links) {
      bridge.move('app_1', asking(link));
      await handler.reconcile();
      await clock.advance(1_000);
    }
    const told = facts.flatMap((item) => (item.listener === 'requiresAction' ? [item.fact.actionUrl] : []));
    assert.deepEqual(told, ['https://apply.example/a/1', 'https://apply.example/a/2']);
    assert.equal(facts.filter(({ listener }) => listener === 'status').length, 1);
  });
});
