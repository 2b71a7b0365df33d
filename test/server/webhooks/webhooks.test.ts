import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLicensingHandler, memoryStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, publicUrl, secret, untouchedBridge, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const requiresAction = {
  state: 'CA',
  status: 'requires_action',
  updatedAt: '2026-11-20T12:01:00.000Z',
  actionUrl: 'https://apply.example/a/1',
  reason: 'Send your fingerprints.',
};

suite('a webhook', () => {
  test('is acknowledged at once and tells what the bridge says, each fact once', async (t) => {
    const { begin, bridge, postWebhook, facts, verdicts } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
    assert.equal((await postWebhook(webhookUrl, progressed, { 'webhook-id': 'evt_1' })).status, 202);
    await until('the first verdict', () => verdicts.length === 1);
    assert.deepEqual(verdicts[0], {
      id: 'evt_1',
      type: 'application.progress_updated',
      applicationId: 'app_1',
      receivedAt: '2026-11-20T12:00:00.000Z',
      checks: ['capability', 'body', 'application', 'confirm-with-bridge'].map((name) => ({
        name,
        ok: true,
        reason: undefined,
      })),
      outcome: 'accepted',
    });
    const subject = { factId: 'app_1.1.0', applicationId: 'app_1', sessionId: 'ses_1', userId: 'usr_1' };
    const progress = { listener: 'progress', fact: { ...subject, progress: { step: 'identity', index: 2, count: 6 } } };
    assert.deepEqual(facts, [progress]);
  });

  test('story: submitted, action required, pending again, approved', async (t) => {
    const { begin, bridge, postWebhook, facts, verdicts, clock } = partner(t);
    const { webhookUrl } = await begin();
    const [texas, california] = submitted.states;
    const chapters: [type: string, states: object[]][] = [
      ['application.submitted', [texas!, california!]],
      ['application.requires_action', [texas!, requiresAction]],
      ['application.status_changed', [texas!, requiresAction]],
      [
        'application.status_changed',
        [{ ...texas!, status: 'approved', updatedAt: '2026-11-20T12:02:00.000Z' }, requiresAction],
      ],
    ];
    for (const [number, [type, states]] of chapters.entries()) {
      bridge.move('app_1', { ...submitted, states: states as typeof submitted.states });
      await postWebhook(webhookUrl, webhook(`evt_${String(number)}`, type));
      await clock.advance(500);
      await until('its verdict', () => verdicts.length === number + 1);
    }
    assert.deepEqual(
      facts.map(({ listener, fact }) => [
        listener,
        'state' in fact ? fact.state : '',
        'status' in fact ? fact.status : '',
      ]),
      [
        ['submitted', '', ''],
        ['status', 'TX', 'pending_review'],
        ['status', 'CA', 'pending_review'],
        ['status', 'CA', 'requires_action'],
        ['requiresAction', 'CA', ''],
        ['status', 'TX', 'approved'],
      ],
    );
  });

  test('repeated does nothing twice, whether named by its header, its body or neither', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, clock } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    const deliveries: [body: unknown, headers: Record<string, string>][] = [
      [webhook('evt_1', 'application.submitted'), { 'webhook-id': 'evt_1' }],
      [webhook('evt_1', 'application.submitted'), {}],
      [{ hello: 'world' }, {}],
      [{ hello: 'world' }, {}],
    ];
    for (const [number, [body, headers]] of deliveries.entries()) {
      assert.equal((await postWebhook(webhookUrl, body, headers)).status, 202);
      await clock.advance(500);
      await until('its verdict', () => verdicts.length === number + 1);
    }
    assert.deepEqual(
      verdicts.map(({ outcome }) => outcome),
      ['accepted', 'duplicate', 'accepted', 'duplicate'],
    );
    assert.equal(bridge.readings.length, 2);
    assert.equal(facts.length, 3);
  });

  test('keeps its place only until it is dealt with: repeated a hundred times, it leaves room for others', async (t) => {
    const store = memoryStore();
    let isBroken = true;
    const failing = {
      ...store,
      acceptDelivery: (...input: Parameters<typeof store.acceptDelivery>) =>
        isBroken ? Promise.reject(new Error('The store is away.')) : store.acceptDelivery(...input),
    };
    const { begin, postWebhook, clock } = partner(t, { store: failing });
    const { webhookUrl } = await begin();
    const statuses = async (id: string) => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => postWebhook(webhookUrl, { id })));
      await clock.advance(500);
      return [...new Set(answers.map(({ status }) => status))];
    };
    for (const round of ['a', 'b']) assert.deepEqual(await statuses(round), [500]);
    isBroken = false;
    for (const round of ['c', 'c', 'c', 'd']) assert.deepEqual(await statuses(round), [202]);
  });

  test('is known by its body where its header is no id', async (t) => {
    const { begin, postWebhook, verdicts } = partner(t);
    const { webhookUrl } = await begin();
    await postWebhook(webhookUrl, { id: 'evt_1' }, { 'webhook-id': 'x'.repeat(256) });
    await until('its verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.id, 'evt_1');
  });

  test('does not end the process where the log function throws', async (t) => {
    const { begin, postWebhook, bridge, clock } = partner(t, {
      log: ({ event }) => {
        if (event !== 'handler.failed') throw new Error('The disk is full.');
      },
    });
    const { webhookUrl } = await begin();
    assert.equal((await postWebhook(webhookUrl, { id: 'evt_1' })).status, 202);
    bridge.fail('unavailable');
    assert.equal((await postWebhook(webhookUrl, { id: 'evt_2' })).status, 202);
    await clock.advance(1_000);
  });

  test('of a shape or kind that nobody knows still makes the application be read', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, clock } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    const bodies = [
      [],
      'a text',
      7,
      null,
      { type: 5, data: 'x' },
      { type: 'application.new_kind', data: { states: [3] } },
      { __proto__: null },
    ];
    for (const [number, body] of bodies.entries()) {
      assert.equal((await postWebhook(webhookUrl, JSON.stringify(body))).status, 202);
      await clock.advance(500);
      await until('its verdict', () => verdicts.length === number + 1);
    }
    assert.ok(verdicts.every(({ outcome }) => outcome === 'accepted'));
    assert.equal(facts[0]?.listener, 'submitted');
  });

  test('that comes late or out of order undoes nothing', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, request, clock } = partner(t);
    const { webhookUrl } = await begin();
    const approved = { ...submitted.states[0]!, status: 'approved', updatedAt: '2026-11-20T12:05:00.000Z' };
    bridge.move('app_1', { ...submitted, states: [approved] });
    await postWebhook(
      webhookUrl,
      webhook('evt_9', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] }),
    );
    await until('the first verdict', () => verdicts.length === 1);
    const told = facts.length;
    // A copy of the bridge that lags behind.
    bridge.move('app_1', {
      submittedAt: undefined,
      progress: { step: 'review', index: 6, count: 6 },
      states: submitted.states,
    } as never);
    await clock.advance(500);
    await postWebhook(
      webhookUrl,
      webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 }),
    );
    await until('the second verdict', () => verdicts.length === 2);
    const known = (await (await request('/applications/app_1')).json()) as {
      states: { status: string }[];
      progress: { step: string };
    };
    assert.equal(known.progress.step, 'submitted');
    assert.equal(known.states[0]?.status, 'approved');
    assert.deepEqual(
      facts.slice(told).map(({ listener }) => listener),
      ['status'],
      'only the state that is new',
    );
  });
});

test('createLicensingHandler does nothing until the first request', () => {
  createLicensingHandler({
    bridge: untouchedBridge,
    secret,
    publicUrl,
    identify: () => assert.fail(),
    session: () => assert.fail(),
  });
});
