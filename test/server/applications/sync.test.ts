import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSync } from '../../../src/server/applications/sync.js';
import { memoryStore, type ApplicationListeners, type LicensingStore } from '../../../src/server/index.js';
import { next, putAll, record } from '../store/record-suite.js';
import { submitted } from '../support/applications.js';
import { manualClock } from '../support/manual-clock.js';
import { partner, webhook } from '../support/partner.js';
import { scriptedBridge } from '../support/scripted-bridge.js';
import { assertNoEventIsLost } from '../support/two-instances.js';
import { until } from '../support/until.js';

const ofSubmission = [
  'app_1.submitted.1.submitted',
  'app_1.status:TX.1.pending_review',
  'app_1.status:CA.1.pending_review',
];

test('When an instance dies at any point, another one delivers every event at least once and in order when the webhook is repeated.', async (t) => {
  const store = memoryStore();
  await assertNoEventIsLost(t, [store, store]);
});

suite('Delivered events', () => {
  test('A change during a reading is delivered too.', async (t) => {
    const { begin, bridge, events, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    const release = bridge.hold();
    const first = postWebhook(webhookUrl, webhook('evt_1', 'application.session_started'));
    await until('the reading', () => bridge.readings.length === 1);
    const second = postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'));
    bridge.change('app_1', submitted);
    release();
    assert.deepEqual([(await first).status, (await second).status], [204, 204]);
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      ofSubmission,
    );
  });

  test('A state that requires an action is delivered again when its link is another one, and not before it has one.', async (t) => {
    const { begin, bridge, events, handler } = partner(t);
    await begin();
    const links = [undefined, 'https://apply.example/a/1', 'https://apply.example/a/1', 'https://apply.example/a/2'];
    for (const actionUrl of links) {
      const state = { state: 'TX', status: 'requires_action', updatedAt: '2026-11-20T12:01:00.000Z' };
      bridge.change('app_1', {
        ...submitted,
        states: [{ ...state, ...(actionUrl === undefined ? {} : { actionUrl }) }],
      });
      await handler.reconcile();
    }
    // A host may keep the link of an action that is done.
    const done = {
      state: 'TX',
      status: 'pending_review',
      updatedAt: '2026-11-20T12:02:00.000Z',
      actionUrl: 'https://a.b',
    };
    bridge.change('app_1', { states: [done] });
    await handler.reconcile();
    const delivered = events.flatMap((event) => (event.type === 'requiresAction' ? [event.actionUrl] : []));
    assert.deepEqual(delivered, links.slice(-2));
    assert.equal(events.filter(({ type }) => type === 'status').length, 2);
    assert.doesNotMatch(events.map(({ eventId }) => eventId).join(), /apply\.example/);
  });

  test('An event whose listener was removed counts as delivered.', async () => {
    const made = await setup({ submitted: () => Promise.reject(new Error('The database is away.')) }, () => ({}));
    await assert.rejects(made.sync(made.id));
    const without = createSync({
      ...made,
      store: made.memory,
      listeners: {},
      log: () => undefined,
      onChange: () => {},
    });
    await without.refresh(made.id);
    assert.deepEqual(Object.keys((await made.read()).delivered).sort(), ['status:CA', 'status:TX', 'submitted']);
  });
});

/** A record of a submitted application, and the instance that delivers its changes. */
async function setup(listeners: ApplicationListeners, wrap: (memory: LicensingStore) => Partial<LicensingStore>) {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  await bridge.sessions.create({ userId: 'usr_1', ...record(1).request });
  bridge.change('app_1', submitted);
  const memory = memoryStore();
  await putAll(memory, record(1, { applicationId: 'app_1' }));
  const changed: string[] = [];
  const onChange = (id: string) => void changed.push(id);
  const log = () => undefined;
  const sync = createSync({ bridge, store: { ...memory, ...wrap(memory) }, listeners, clock, log, onChange });
  const { id } = record(1);
  return { ...sync, clock, bridge, memory, id, changed, read: async () => (await memory.get(id)) ?? assert.fail() };
}

test('A record that has expired in the store, or has no application yet, is a SyncError, and no listener is called.', async () => {
  const expired = await setup({ submitted: () => assert.fail() }, () => ({ get: () => Promise.resolve(undefined) }));
  for (const work of [expired.refresh, expired.deliver, expired.sync])
    await assert.rejects(work(expired.id), { code: 'unknown_record' });
  const { applicationId: _, ...unanswered } = record(1);
  const fresh = await setup({}, () => ({ get: () => Promise.resolve(unanswered) }));
  await assert.rejects(fresh.refresh(fresh.id), { code: 'no_application' });
  assert.deepEqual([...expired.bridge.readings, ...fresh.bridge.readings], []);
});

const leaseOf = (holder: string, untilMs: number) => ({ lease: { holder, until: new Date(untilMs).toISOString() } });

suite('A write that another instance overtook', () => {
  test('A reading that another instance overtook is done again, and then written.', async () => {
    let writes = 0;
    const made = await setup({ submitted: () => undefined }, (memory) => ({
      async put(written) {
        // The other instance is faster by one write.
        if ((writes += 1) === 1) await memory.put(next(record(1, { applicationId: 'app_1' })));
        return memory.put(written);
      },
    }));
    const { refresh, bridge, id, read, changed } = made;
    assert.equal((await refresh(id)).version, 3);
    assert.deepEqual([writes, bridge.readings.length, changed], [2, 2, [id]]);
    assert.equal((await read()).application?.progress.step, 'submitted');
    assert.equal((await refresh(id)).version, 3, 'without a change nothing is written');
  });

  test('After ten lost writes in a row, a reading and a delivery end as a conflict.', async () => {
    let writes = 0;
    let isOvertaken = true;
    const made = await setup({ submitted: () => undefined }, (memory) => ({
      put: async (written) => (isOvertaken ? (writes += 1) < 0 : memory.put(written)),
    }));
    const { refresh, deliver, bridge, id } = made;
    await assert.rejects(refresh(id), { code: 'conflict' });
    assert.deepEqual([writes, bridge.readings.length], [10, 10]);
    isOvertaken = false;
    await refresh(id);
    [isOvertaken, writes] = [true, 0];
    await assert.rejects(deliver(id), { code: 'conflict' });
    assert.equal(writes, 10);
  });

  test('A handled event is written after nineteen lost writes in a row, and is an error after twenty.', async () => {
    for (const lost of [19, 20]) {
      let isHandled = false;
      let writes = 0;
      const { sync, id, read } = await setup({ submitted: () => void (isHandled = true) }, (memory) => ({
        put: async (written) => (isHandled && (writes += 1) <= lost ? false : memory.put(written)),
      }));
      if (lost === 19) await sync(id);
      else await assert.rejects(sync(id), /keep writing/);
      assert.equal('submitted' in (await read()).delivered, lost === 19);
    }
  });
});

suite('The lease of an instance', () => {
  const ends: [what: string, remainingMs: number, isHeld: boolean][] = [
    ['that has ended', 0, false],
    ['that ends in a moment', 1, true],
    ['of two minutes, by a clock that is ahead', 120_000, true],
    ['of more than two minutes, which no instance takes', 120_001, false],
  ];
  for (const [what, remainingMs, isHeld] of ends) {
    test(`A lease of another instance ${what} ${isHeld ? 'prevents' : 'does not prevent'} a delivery.`, async () => {
      let calls = 0;
      const { refresh, deliver, clock, memory, id, read } = await setup({ submitted: () => (calls += 1) }, () => ({}));
      await refresh(id);
      await putAll(memory, next(await read(), leaseOf('another', clock.now() + remainingMs)));
      if (isHeld) await assert.rejects(deliver(id), { code: 'lease_held' });
      else await deliver(id);
      assert.equal(calls, isHeld ? 0 : 1);
    });
  }

  test('A lease is there before the first listener, lasts a minute, and is gone with the last event.', async () => {
    const listener = async () => assert.equal((await made.read()).lease?.until, '2026-11-20T12:01:00.000Z');
    const made = await setup({ submitted: listener }, () => ({}));
    await made.sync(made.id);
    const { lease, delivered } = await made.read();
    assert.equal(lease, undefined);
    assert.deepEqual(delivered['submitted'], { value: 'submitted', count: 1 });
  });

  for (const [afterMs, isRenewed] of [
    [34_999, false],
    [35_000, true],
  ] as const) {
    test(`A lease with ${60_000 - afterMs} ms left before a listener is ${isRenewed ? 'renewed, and handled events are saved' : 'not renewed'}.`, async () => {
      let left = 0;
      const saved: string[][] = [];
      const listener = async () => {
        const { lease, delivered } = await made.read();
        left = Date.parse(lease?.until ?? '') - made.clock.now();
        saved.push(Object.keys(delivered).filter((slot) => slot === 'submitted'));
      };
      const first = () => made.clock.leap(afterMs);
      const made = await setup({ submitted: first, status: listener }, () => ({}));
      made.bridge.change('app_1', { states: submitted.states.slice(0, 1) });
      await made.sync(made.id);
      assert.deepEqual([left, saved], isRenewed ? [60_000, [['submitted']]] : [60_000 - afterMs, [[]]]);
    });
  }

  for (const [what, take] of Object.entries({
    'Another instance': (holder: string, untilMs: number) => leaseOf(`not ${holder}`, untilMs),
    'This instance, for a later delivery,': (holder: string, untilMs: number) => leaseOf(holder, untilMs + 1),
  })) {
    test(`${what} that took the lease meanwhile keeps it, and nothing is written over it.`, async () => {
      const made = await setup(
        {
          async submitted() {
            const current = await made.read();
            const { holder, until } = current.lease ?? assert.fail();
            await putAll(made.memory, next(current, take(holder, Date.parse(until))));
          },
        },
        () => ({}),
      );
      await assert.rejects(made.sync(made.id), { code: 'lease_held' });
      const { lease, delivered } = await made.read();
      assert.ok(lease);
      assert.equal('submitted' in delivered, false);
    });
  }

  test('An instance whose own last write failed delivers again without waiting for its lease.', async () => {
    let calls = 0;
    const made = await setup({ submitted: () => (calls += 1) }, (memory) => ({
      put: (written) =>
        calls === 1 && written.lease === undefined ? Promise.reject(new Error('Full.')) : memory.put(written),
    }));
    await assert.rejects(made.sync(made.id), { message: 'Full.' });
    calls = 2;
    await made.sync(made.id);
    assert.equal(calls, 3);
  });

  test('An event that fails holds back those after it, and not the ones that were handled before it.', async () => {
    const calls: string[] = [];
    const status = ({ state }: { state: string }) => {
      calls.push(state);
      if (state === 'TX') throw new Error('The database is away.');
    };
    const made = await setup({ submitted: () => undefined, status }, () => ({}));
    await assert.rejects(made.sync(made.id), { code: 'listener_failed' });
    const { lease, delivered, isOpen } = await made.read();
    assert.deepEqual([calls, lease, Object.keys(delivered), isOpen], [['TX'], undefined, ['submitted'], true]);
  });
});
