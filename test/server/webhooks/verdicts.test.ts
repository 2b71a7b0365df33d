import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

/** Stands in every part of these bodies. Nobody may see it again. */
const confidential = 'told-in-confidence';
const body = (id: string, data: object = {}) => ({
  ...webhook(id, 'application.progress_updated', { ...data, name: confidential, nested: { text: confidential } }),
  [confidential]: confidential,
});

test('a listener of verdicts that takes its time holds up no answer', async (t) => {
  const { begin, postWebhook } = partner(t, { on: { webhook: () => new Promise(() => undefined) }, isLeftOpen: true });
  const { webhookUrl } = await begin();
  const statusOf = async (body: unknown) => (await postWebhook(webhookUrl, body)).status;
  assert.equal(await statusOf('{'), 400);
  assert.equal(await statusOf({ data: { applicationId: 'app_2' } }), 400);
  // Until there is no room for more.
  const statuses = await Promise.all(
    Array.from({ length: 33 }, (_, number) => statusOf({ id: `evt_${String(number)}` })),
  );
  assert.deepEqual([...new Set(statuses)].sort(), [202, 503]);
});

suite('the verdict on a delivery', () => {
  test('is told of every one, whatever becomes of it, is logged, and holds nothing of its body but id and type', async (t) => {
    const { begin, postWebhook, bridge, clock, stop, verdicts, entries } = partner(t);
    const { webhookUrl } = await begin();
    const told = async (count: number) => {
      await until(`${String(count)} verdicts`, () => verdicts.length === count);
      return verdicts[count - 1]?.outcome;
    };

    await postWebhook(webhookUrl, body('evt_1'), { 'x-custom': confidential });
    assert.equal(await told(1), 'accepted');
    await postWebhook(webhookUrl, body('evt_1'));
    assert.equal(await told(2), 'duplicate');
    await postWebhook(webhookUrl, `{"${confidential}"`);
    assert.equal(await told(3), 'refused');
    await postWebhook(webhookUrl, body('evt_2', { applicationId: confidential }));
    assert.equal(await told(4), 'refused');
    await postWebhook(webhookUrl, { ...body('evt_3'), type: `${confidential} with a space` });
    await clock.advance(1_000);
    assert.equal(await told(5), 'accepted');
    bridge.fail('unreachable');
    await postWebhook(webhookUrl, body('evt_4'));
    await clock.advance(1_000);
    await stop();
    assert.equal(await told(6), 'deferred');

    assert.deepEqual(
      verdicts.map(({ id, type }) => [id, type]),
      [
        ...['evt_1', 'evt_1'].map((id) => [id, 'application.progress_updated']),
        ['', 'unknown'],
        ['evt_2', 'application.progress_updated'],
        ['evt_3', 'unknown'],
        ['evt_4', 'application.progress_updated'],
      ],
    );
    for (const verdict of verdicts) {
      assert.deepEqual(Object.keys(verdict).sort(), ['applicationId', 'checks', 'id', 'outcome', 'receivedAt', 'type']);
      assert.equal(verdict.applicationId, 'app_1');
      assert.equal(verdict.checks[0]?.name, 'capability');
      const isFine = verdict.checks.every(({ ok }) => ok);
      assert.equal(isFine, verdict.outcome === 'accepted' || verdict.outcome === 'duplicate');
    }
    const lines = entries.filter(({ event }) => event === 'webhook.verdict');
    assert.deepEqual(
      lines.map(({ level: _level, event: _event, ...verdict }) => verdict),
      verdicts,
    );
    assert.doesNotMatch(inspect([verdicts, entries], { depth: null }), new RegExp(confidential));
  });
});
