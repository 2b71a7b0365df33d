import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type KnownApplication, type LicensingStore } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner } from '../support/partner.js';

const stepOf = async (answer: Response) => ((await answer.json()) as KnownApplication).progress.step;

suite('the state of an application', () => {
  test('is read again, however fresh, when another instance has acknowledged a webhook since', async (t) => {
    const store = memoryStore();
    const { begin, bridge, request, clock } = partner(t, { store });
    await begin();
    assert.equal(await stepOf(await request('/applications/app_1')), 'not_started');
    bridge.move('app_1', submitted);
    const receivedAt = new Date(clock.now()).toISOString();
    await store.acceptDelivery('app_1', { id: 'evt_1', type: 'application.submitted', receivedAt });
    assert.equal(await stepOf(await request('/applications/app_1')), 'submitted');
    assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
  });

  test('is read again when another instance wrote meanwhile: what it told is not told again', async (t) => {
    const store = memoryStore();
    let others = 2;
    const contested: LicensingStore = {
      ...store,
      async replaceState(id, expectedVersion, state, facts) {
        if ((others -= 1) >= 0) await store.replaceState(id, expectedVersion, state, []);
        return store.replaceState(id, expectedVersion, state, facts);
      },
    };
    const { begin, bridge, request, clock, facts } = partner(t, { store: contested });
    await begin();
    bridge.move('app_1', submitted);
    assert.equal(await stepOf(await request('/applications/app_1')), 'submitted');
    await clock.advance(0);
    assert.equal(bridge.readings.length, 2);
    assert.deepEqual(facts, []);
  });

  test('is not read again once all states have decided', async (t) => {
    const { begin, bridge, request, handler, clock } = partner(t);
    await begin();
    bridge.move('app_1', approved);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await stepOf(await request('/applications/app_1')), 'submitted');
      await clock.advance(5_000);
    }
    assert.equal((await handler.reconcile()).read, 0);
    assert.equal(bridge.readings.length, 1);
  });
});
