import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';

const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
const wasSubmitted = webhook('evt_2', 'application.submitted');
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };

suite('verifyWebhook decides before anything is acknowledged', () => {
  test('A webhook that it refuses is 403, and neither the bridge nor a listener is called.', async (t) => {
    for (const verdict of [false, { reason: 'No certificate.' }]) {
      const { begin, bridge, postWebhook, events, entries } = partner(t, { verifyWebhook: () => verdict });
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 403);
      assert.deepEqual([bridge.readings, events], [[], []]);
      const line = entries.find(({ event }) => event === 'webhook.refused');
      assert.match(String(line?.message), verdict ? /No certificate/ : /returned false/);
    }
  });

  test('It receives the request with its body, the typed event and the application of the URL.', async (t) => {
    const seen: unknown[] = [];
    const { begin, bridge, postWebhook } = partner(t, {
      async verifyWebhook(request, { event, applicationId, userId }) {
        seen.push(request.headers.get('x-proof'), ((await request.json()) as { id: string }).id);
        seen.push(event.type === 'application.progress_updated' && event.data.index, applicationId, userId);
        return true;
      },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', atIdentity);
    assert.equal((await postWebhook(webhookUrl, progressed, { 'x-proof': 'of origin' })).status, 204);
    assert.deepEqual(seen, ['of origin', 'evt_1', 1, 'app_1', 'usr_1']);
  });

  test('One that throws or returns something else is 503, and the webhook is handled once it works.', async (t) => {
    const failures: unknown[] = [
      () => {
        throw new Error('No keys.');
      },
      () => 'yes',
      () => 1,
      () => undefined,
    ];
    for (const failure of failures) {
      let verify = failure as () => boolean;
      const { begin, bridge, postWebhook, events } = partner(t, { verifyWebhook: () => verify() });
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503);
      assert.equal(events.length, 0);
      verify = () => true;
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
      assert.equal(events.length, 3);
    }
  });
});
