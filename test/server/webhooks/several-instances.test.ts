import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const wasSubmitted = webhook('evt_2', 'application.submitted');

suite('Several instances deliver the events of one application one at a time', () => {
  test('While one calls a listener, a webhook to the other is 503, and no event is delivered twice.', async (t) => {
    const store = memoryStore();
    const calls: string[] = [];
    let finish = () => {};
    const slow = partner(t, {
      store,
      on: {
        submitted: () =>
          new Promise<void>((resolve) => {
            calls.push('first instance');
            finish = resolve;
          }),
      },
    });
    const { webhookUrl } = await slow.begin();
    slow.bridge.change('app_1', submitted);
    const { bridge, clock } = slow;
    const other = partner(t, { store, bridge, clock, on: { submitted: () => void calls.push('second instance') } });
    const first = slow.postWebhook(webhookUrl, wasSubmitted);
    await until('the listener', () => calls.length === 1);
    assert.equal((await other.postWebhook(webhookUrl, wasSubmitted)).status, 503);
    finish();
    assert.equal((await first).status, 204);
    assert.equal((await other.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.deepEqual(calls, ['first instance']);
  });

  test('When one dies in the middle of a listener, the other delivers the event again after a minute.', async (t) => {
    const store = memoryStore();
    const on = { submitted: () => new Promise(() => {}), status: () => undefined };
    const dead = partner(t, { store, on, isLeftOpen: true });
    const { webhookUrl } = await dead.begin();
    dead.bridge.change('app_1', submitted);
    void dead.postWebhook(webhookUrl, wasSubmitted);
    await until('the lease', async () => (await store.listOpen(undefined, 1))[0]?.lease !== undefined);
    const { bridge } = dead;
    const other = partner(t, { store, bridge });
    assert.equal((await other.postWebhook(webhookUrl, wasSubmitted)).status, 503);
    await other.clock.advance(60_001);
    assert.equal((await other.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.deepEqual(
      other.events.map(({ type }) => type),
      ['submitted', 'status', 'status'],
    );
  });
});
