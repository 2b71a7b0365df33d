import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';
import { partner } from '../support/partner.js';

const hourMs = 60 * 60_000;

/** The statuses that the user of an application sees. */
async function statusesOf({ request, clock }: Pick<ReturnType<typeof partner>, 'request' | 'clock'>) {
  const asking = request('/applications/app_1');
  // The pause before another reading, if there is one.
  await clock.advance(200);
  const { states } = (await (await asking).json()) as { states: { status: string }[] };
  return states.map(({ status }) => status);
}

/** A backend with nothing to do, and how often it looked for what others left undone. */
function idle(t: TestContext, clock: ManualClock) {
  const store = memoryStore({ clock });
  const looks: number[] = [];
  const { request } = partner(t, {
    clock,
    store: {
      ...store,
      applicationsWithLeftWork(query) {
        looks.push(clock.now());
        return store.applicationsWithLeftWork(query);
      },
    },
  });
  return { request, looks };
}

suite('a clock that was set back', () => {
  test('does not make of what is known something fresh', async (t) => {
    const backend = partner(t);
    await backend.begin();
    assert.deepEqual(await statusesOf(backend), []);
    backend.bridge.move('app_1', submitted);
    backend.clock.leap(-hourMs);
    assert.deepEqual(await statusesOf(backend), ['pending_review', 'pending_review']);
  });

  test('does not keep left work waiting', async (t) => {
    const clock = manualClock();
    const { request, looks } = idle(t, clock);
    await request('/applications');
    clock.leap(-hourMs);
    await request('/applications');
    assert.equal(looks.length, 2);
  });
});

test('left work is looked for again and again, though timers ring a moment before their time', async (t) => {
  const clock = manualClock();
  const early = { ...clock, after: (ms: number, ring: () => void) => clock.after(ms - 1, ring), timers: 0 };
  const { request, looks } = idle(t, early);
  await request('/applications');
  await clock.advance(200_000);
  assert.equal(looks.length, 7);
});

test('a status of the same second is news, though the host leaves out fractions that are zero', async (t) => {
  const backend = partner(t);
  await backend.begin();
  const tell = (status: string, updatedAt: string) => {
    backend.bridge.move('app_1', { ...submitted, states: [{ state: 'TX', status, updatedAt }] });
  };
  tell('pending_review', '2026-11-20T12:00:00Z');
  assert.deepEqual(await statusesOf(backend), ['pending_review']);
  await backend.clock.advance(2_000);
  tell('approved', '2026-11-20T12:00:00.250Z');
  assert.deepEqual(await statusesOf(backend), ['approved']);
});
