import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { HttpErrorBody } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const hang = () => new Promise<never>(() => undefined);
const wasSubmitted = webhook('evt_1', 'application.submitted');

suite('A function of the partner that never settles', () => {
  for (const name of ['identify', 'session'] as const) {
    test(`When \`${name}\` never settles, the answer is 500 after 30 seconds, and the log names the function.`, async (t) => {
      const { bridge, clock, entries, postSession } = partner(t, { [name]: hang });
      const timers = clock.timers;
      let answer: Response | undefined;
      void postSession().then((given) => (answer = given));
      await clock.advance(29_999);
      assert.deepEqual([answer, entries], [undefined, []]);
      await clock.advance(1);
      assert.equal(answer?.status, 500);
      assert.equal(((await answer.json()) as HttpErrorBody).code, 'internal');
      assert.equal(bridge.requests.length, 0);
      assert.deepEqual(
        entries.map(({ level, event, message }) => [level, event, message]),
        [['error', 'handler.failed', `${name} took longer than 30 seconds.`]],
      );
      assert.equal(clock.timers, timers);
    });
  }

  for (const [name, seconds] of [
    ['verifyWebhook', 5],
    ['peerAddress', 30],
  ] as const) {
    test(`When \`${name}\` never settles, the webhook is 503 after ${String(seconds)} seconds.`, async (t) => {
      let isCalled = false;
      const called = () => ((isCalled = true), hang());
      const { begin, clock, entries, postWebhook } = partner(t, { verifyWebhook: () => true, [name]: called });
      const { webhookUrl } = await begin();
      let status = 0;
      void postWebhook(webhookUrl, wasSubmitted).then((answer) => (status = answer.status));
      await until('its call', () => isCalled);
      await clock.advance(seconds * 1_000 - 1);
      assert.equal(status, 0);
      await clock.advance(1);
      assert.equal(status, 503);
      assert.equal(entries.at(-1)?.message, `${name} took longer than ${String(seconds)} seconds.`);
    });
  }

  test('When a listener never settles, the log names it after 25 seconds, and close() does not wait longer.', async (t) => {
    let calls = 0;
    const { begin, bridge, clock, entries, handler, postWebhook } = partner(t, {
      isLeftOpen: true,
      on: { submitted: () => ((calls += 1), hang()) },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const answer = postWebhook(webhookUrl, wasSubmitted);
    await until('the listener', () => calls === 1);
    let isClosed = false;
    void handler.close().then(() => (isClosed = true));
    await clock.advance(24_999);
    assert.equal(isClosed, false);
    await clock.advance(1);
    assert.equal((await answer).status, 503);
    assert.equal(isClosed, true);
    const failed = entries.filter(({ event }) => event === 'listener.failed');
    assert.deepEqual(
      failed.map(({ message }) => message),
      ['on.submitted took longer than 25 seconds.'],
    );
  });

  test('Functions that settle in time leave no timer behind.', async (t) => {
    const { begin, bridge, clock, events, postWebhook, request } = partner(t, { verifyWebhook: () => true });
    const { webhookUrl } = await begin();
    const timers = clock.timers;
    bridge.change('app_1', submitted);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal((await request('/applications/app_1')).status, 200);
    assert.equal(events.length, 3);
    assert.equal(clock.timers, timers);
  });
});
