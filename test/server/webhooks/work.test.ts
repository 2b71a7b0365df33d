import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { confirmWithBridge, memoryStore, type WebhookCheck } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

suite('checks', () => {
  test('run in order; the first that fails ends it, and nobody is told anything', async (t) => {
    const ran: string[] = [];
    const check = (name: string, ok: boolean): WebhookCheck => ({
      name,
      check: ({ application, delivery, headers }) => {
        ran.push(name);
        assert.equal(application.userId, 'usr_1');
        assert.equal(delivery.id, 'evt_1');
        assert.equal(headers.get('x-from'), 'somewhere');
        return ok ? { ok } : { ok, reason: 'Not from there.' };
      },
    });
    const { begin, bridge, postWebhook, verdicts, facts } = partner(t, {
      checks: [check('first', true), check('second', false), confirmWithBridge()],
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'), { 'x-from': 'somewhere' });
    await until('the verdict', () => verdicts.length === 1);
    assert.deepEqual(ran, ['first', 'second']);
    assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'second', ok: false, reason: 'Not from there.' });
    assert.equal(verdicts[0].outcome, 'refused');
    assert.deepEqual(facts, []);
    assert.deepEqual(bridge.readings, []);
  });

  const endings: [what: string, check: WebhookCheck, outcome: string][] = [
    ['is read', confirmWithBridge(), 'accepted'],
    ['is refused without being read', { name: 'own', check: () => ({ ok: false }) }, 'refused'],
  ];
  for (const [what, check, outcome] of endings) {
    test(`a delivery whose application ${what} is settled once: each time is a round trip to the store`, async (t) => {
      const store = memoryStore();
      const settled: string[] = [];
      const counting: typeof store = {
        ...store,
        settleDeliveries(applicationId, ids) {
          settled.push(...ids);
          return store.settleDeliveries(applicationId, ids);
        },
      };
      const { begin, bridge, postWebhook, verdicts } = partner(t, { store: counting, checks: [check] });
      const { webhookUrl } = await begin();
      bridge.move('app_1', submitted);
      await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
      await until('the verdict', () => verdicts.length === 1);
      assert.equal(verdicts[0]?.outcome, outcome);
      assert.deepEqual(settled, ['evt_1']);
      assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
    });
  }

  test('without any, what is told still comes from the bridge alone', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts } = partner(t, { checks: [] });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(
      webhookUrl,
      webhook('evt_1', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] }),
    );
    await until('the verdict', () => verdicts.length === 1);
    assert.deepEqual(
      facts.map(({ listener, fact }) => ('status' in fact ? fact.status : listener)),
      ['submitted', 'pending_review', 'pending_review'],
    );
  });

  test('wait for the bridge: what could not be confirmed is confirmed once it recovers', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, clock, entries } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    bridge.fail('unreachable');
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
    await clock.advance(5 * 60_000);
    assert.equal(verdicts.length, 0);
    assert.ok(entries.filter(({ event }) => event === 'webhook.waiting').length > 5);
    assert.ok(bridge.readings.length < 15, 'with growing pauses');
    bridge.fail(undefined);
    await clock.advance(60_000);
    await until('the verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'accepted');
    assert.equal(facts.filter(({ listener }) => listener === 'submitted').length, 1);
  });

  test('give a bridge that lags behind its own webhooks a moment', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, clock } = partner(t);
    const { webhookUrl } = await begin();
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(500);
    bridge.move('app_1', submitted);
    await clock.advance(2_000);
    await until('the verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'accepted');
    assert.equal(facts[0]?.listener, 'submitted');
  });

  test('a change during a reading is not missed', async (t) => {
    const { begin, bridge, postWebhook, verdicts, facts, clock } = partner(t);
    const { webhookUrl } = await begin();
    const release = bridge.hold();
    await postWebhook(webhookUrl, webhook('evt_1', 'application.session_started'));
    await clock.advance(0);
    await postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'));
    bridge.move('app_1', submitted);
    release();
    await clock.advance(5_000);
    await until('both verdicts', () => verdicts.length === 2);
    assert.ok(verdicts.every(({ outcome }) => outcome === 'accepted'));
    assert.equal(facts.filter(({ listener }) => listener === 'submitted').length, 1);
  });
});

suite('what was acknowledged', () => {
  test('is in the store first: another instance picks it up', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const { webhookUrl } = await first.begin();
    await first.request('/applications/app_1');
    first.bridge.move('app_1', submitted);
    first.bridge.fail('unreachable');
    assert.equal((await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
    await first.stop();
    first.bridge.fail(undefined);

    const second = partner(t, { store, bridge: first.bridge });
    const known = (await (await second.request('/applications/app_1')).json()) as { submittedAt?: string };
    assert.equal(known.submittedAt, submitted.submittedAt);
    await until('all facts', () => second.facts.length === 3);
    assert.deepEqual(
      second.facts.map(({ listener }) => listener),
      ['submitted', 'status', 'status'],
    );
    assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
  });

  test('is worked on again when it is repeated to an instance that has not read yet', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const { webhookUrl } = await first.begin();
    first.bridge.move('app_1', submitted);
    first.bridge.fail('unreachable');
    const body = webhook('evt_1', 'application.submitted');
    await first.postWebhook(webhookUrl, body);
    await first.stop();
    first.bridge.fail(undefined);
    const second = partner(t, { store, bridge: first.bridge });
    await second.postWebhook(webhookUrl, body);
    await until('the verdict', () => second.verdicts.length === 1);
    assert.equal(second.verdicts[0]?.outcome, 'accepted');
  });

  test('is told once by two instances that read at the same time', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const second = partner(t, { store, bridge: first.bridge, clock: first.clock });
    const { webhookUrl } = await first.begin();
    first.bridge.move('app_1', submitted);
    await Promise.all([
      first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted')),
      second.postWebhook(webhookUrl, webhook('evt_2', 'application.submitted')),
    ]);
    await first.clock.advance(1_000);
    await until('both verdicts', () => first.verdicts.length + second.verdicts.length === 2);
    assert.equal(first.facts.length + second.facts.length, 3);
  });

  test('is handed to waitUntil, so that a serverless instance stays for it', async (t) => {
    const { begin, handler, bridge, facts } = partner(t);
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    const works: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => works.push(work) };
    const headers = { 'content-type': 'application/json' };
    await handler(new Request(webhookUrl, { method: 'POST', headers, body: '{"id":"1"}' }), context);
    await Promise.all(works);
    assert.equal(works.length, 2, 'the answer, and the work after it');
    assert.equal(facts.length, 3);
  });

  test('about an application that the bridge does not know is refused, and not waited for', async (t) => {
    const store = memoryStore();
    const { begin, bridge, postWebhook, verdicts, clock } = partner(t, { store });
    const { webhookUrl } = await begin();
    bridge.fail('not_found');
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await until('the verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'refused');
    await clock.advance(10 * 60_000);
    assert.equal(bridge.readings.length, 1);
    assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
  });

  test('has a verdict that says so when this instance ends before it is dealt with', async (t) => {
    const store = memoryStore();
    const { begin, bridge, postWebhook, verdicts, clock, stop } = partner(t, { store });
    const { webhookUrl } = await begin();
    bridge.fail('unreachable');
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(5_000);
    await stop();
    assert.deepEqual(
      verdicts.map(({ outcome }) => outcome),
      ['deferred'],
    );
    assert.equal((await store.unsettledDeliveries('app_1'))[0]?.id, 'evt_1');
  });

  test('nothing is acknowledged when the store fails, nor after close()', async (t) => {
    const store = memoryStore();
    const failing = { ...store, acceptDelivery: () => Promise.reject(new Error('disk full')) };
    const { begin, postWebhook, stop } = partner(t, { store: failing });
    const { webhookUrl } = await begin();
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 500);
    await stop();
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 503);
  });
});

test('a thousand webhooks, shuffled, repeated, some forged: the end is what the bridge says, every fact told once', async (t) => {
  const { begin, bridge, postWebhook, facts, clock, request } = partner(t);
  const { webhookUrl } = await begin();
  // A generator of its own, so that a failure can be repeated.
  let seed = 42;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const steps = ['profile', 'identity', 'background', 'disclosures', 'payment', 'review'];
  const approved = submitted.states.map((state) => ({
    ...state,
    status: 'approved',
    updatedAt: '2026-11-20T13:00:00.000Z',
  }));
  const moves = [
    ...steps.map((step, index) => ({ progress: { step, index: index + 1, count: 6 } })),
    submitted,
    { ...submitted, states: approved },
  ];
  const types = ['application.progress_updated', 'application.submitted', 'application.status_changed'];
  for (let number = 0; number < 1_000; number += 1) {
    if (number % 125 === 0) bridge.move('app_1', moves[number / 125]!);
    const id = `evt_${String(Math.floor(random() * 700))}`;
    const type = types[Math.floor(random() * types.length)]!;
    const forgedUrl = random() < 0.1 ? `${webhookUrl.slice(0, -2)}xx` : webhookUrl;
    await postWebhook(forgedUrl, webhook(id, type, { states: [{ state: 'TX', status: 'denied' }] }));
    if (number % 25 === 0) await clock.advance(1_000);
  }
  await clock.advance(120_000);
  const known = (await (await request('/applications/app_1')).json()) as { states: unknown };
  assert.deepEqual(known.states, approved);
  const told = facts.map(({ listener, fact }) =>
    JSON.stringify([
      listener,
      'state' in fact && fact.state,
      'status' in fact && fact.status,
      'progress' in fact && fact.progress.step,
    ]),
  );
  assert.equal(new Set(told).size, told.length, 'no fact twice');
  assert.equal(told.length, steps.length + 1 + 2 + 2);
});
