import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { BridgeClientError, memoryStore, type LicensingStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { manualClock } from '../support/manual-clock.js';
import { partner } from '../support/partner.js';
import { scriptedBridge } from '../support/scripted-bridge.js';

const minuteMs = 60_000;

/** A store that finds left work always in the same order, as a database does. */
function inOneOrder(store: LicensingStore): LicensingStore {
  return {
    ...store,
    async applicationsWithLeftWork({ receivedBefore, after = '', limit }) {
      const all = await store.applicationsWithLeftWork({ receivedBefore, limit: 1_000 });
      return all
        .filter((id) => id > after)
        .sort()
        .slice(0, limit);
    },
  };
}

/** An instance, and the deliveries of so many applications that another one acknowledged before it ended. */
async function afterAnother(t: TestContext, applications: number, minutes = 3) {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  const store = memoryStore({ clock });
  const ended = partner(t, { clock, bridge, store });
  for (let number = 1; number <= applications; number += 1) {
    await ended.begin();
    const receivedAt = new Date(clock.now()).toISOString();
    await store.acceptDelivery(`app_${String(number)}`, { id: 'evt_1', type: 'unknown', receivedAt });
  }
  await ended.stop();
  clock.leap(minutes * minuteMs);
  return { store, ...partner(t, { clock, bridge, store: inOneOrder(store) }) };
}

suite('what an instance left undone', () => {
  test('is done though hundreds of applications before it cannot be read', async (t) => {
    const { bridge, clock, request, verdicts } = await afterAnother(t, 250);
    const read = bridge.getApplication.bind(bridge);
    const unreadable = { code: 'unreadable', operation: 'getApplication', message: 'No.', retryable: false } as const;
    // The last one in the order in which they are found.
    bridge.getApplication = (id) => (id === 'app_99' ? read(id) : Promise.reject(new BridgeClientError(unreadable)));
    await request('/applications');
    await clock.advance(2 * minuteMs);
    assert.deepEqual(
      verdicts.map(({ applicationId, outcome }) => [applicationId, outcome]),
      [['app_99', 'accepted']],
    );
    bridge.getApplication = read;
    await clock.advance(3 * minuteMs);
    assert.equal(verdicts.length, 250, 'and the others once they can be read');
  });

  test('is left to the instance that acknowledged it for two minutes', async (t) => {
    const { clock, request, verdicts } = await afterAnother(t, 1, 1);
    await request('/applications');
    await clock.advance(minuteMs - 1);
    assert.deepEqual(verdicts, []);
    await clock.advance(minuteMs);
    assert.equal(verdicts.length, 1);
  });

  test('does not take along what arrived a moment ago: whoever acknowledged that is at work on it', async (t) => {
    const { clock, request, verdicts, store } = await afterAnother(t, 1);
    const receivedAt = new Date(clock.now()).toISOString();
    await store.acceptDelivery('app_1', { id: 'evt_2', type: 'unknown', receivedAt });
    await request('/applications');
    await clock.advance(1_000);
    assert.deepEqual(
      verdicts.map(({ id }) => id),
      ['evt_1'],
    );
  });

  test('is not begun after close()', async (t) => {
    const { clock, request, verdicts, stop } = await afterAnother(t, 1);
    await stop();
    await request('/applications');
    await clock.advance(5 * minuteMs);
    assert.deepEqual(verdicts, []);
    assert.equal(clock.timers, 0);
  });

  test('is told as far as it is known, though the bridge cannot be asked', async (t) => {
    const { bridge, clock, request, store, facts } = await afterAnother(t, 1);
    const told = {
      submittedAt: undefined,
      factId: 'app_1.1.0',
      applicationId: 'app_1',
      sessionId: 'ses_1',
      userId: 'usr_1',
    };
    const application = { ...told, applicationType: 'new', licenseType: 'life_health', ...submitted };
    await store.replaceState('app_1', 0, { version: 1, application }, [{ listener: 'submitted', fact: told }]);
    bridge.fail('unavailable');
    await request('/applications');
    await clock.advance(minuteMs);
    assert.deepEqual(
      facts.map(({ fact }) => fact.factId),
      ['app_1.1.0'],
    );
  });
});
