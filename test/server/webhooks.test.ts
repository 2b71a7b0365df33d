import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { confirmWithBridge, createLicensingHandler, memoryStore, type WebhookCheck } from '../../src/server/index.js';
import { partner, publicUrl, secret, webhook } from './support/partner.js';
import { until } from './support/until.js';

const submitted = {
  progress: { step: 'submitted', index: 6, count: 6 },
  submittedAt: '2026-11-20T12:00:00.000Z',
  states: [
    { state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' },
    { state: 'CA', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' },
  ],
};
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
    const subject = { applicationId: 'app_1', sessionId: 'ses_1', userId: 'usr_1' };
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

  test('a listener that throws keeps nobody else from being told', async (t) => {
    const told: string[] = [];
    const { begin, bridge, postWebhook, entries } = partner(t, {
      on: {
        submitted: () => Promise.reject(new Error('SSN 900-11-0001')),
        status: ({ state }) => told.push(state),
        webhook: () => {
          told.push('webhook');
          throw new Error('no');
        },
      },
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await until('both states', () => told.length === 3);
    assert.deepEqual(told, ['TX', 'CA', 'webhook']);
    const failures = entries.filter(({ event }) => event === 'listener.failed');
    assert.deepEqual(
      failures.map(({ listener }) => listener),
      ['submitted', 'webhook'],
    );
    assert.doesNotMatch(JSON.stringify(entries), /900-11/);
  });
});

suite('the capability', () => {
  const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

  test('one that is not ours is nothing at all, before anything is read', async (t) => {
    const store = memoryStore();
    const asked: string[] = [];
    const watched = {
      ...store,
      linkOfReference: (reference: string) => (asked.push(reference), store.linkOfReference(reference)),
    };
    const { begin, handler, postWebhook, verdicts } = partner(t, { store: watched });
    const { webhookUrl } = await begin();
    const [version, reference, expiry, mac] = tokenOf(webhookUrl).split('.') as [string, string, string, string];
    const flipped = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`;
    const otherMac = createHmac('sha256', 'another-secret-of-somebody-0123456789')
      .update(['licensing-apply/webhook', 'v1', reference, expiry].join('|'))
      .digest('base64url');
    const forged = [
      [version, reference, expiry, flipped],
      [version, reference, expiry, mac.slice(0, -1)],
      [version, reference, expiry, ''],
      [version, reference, expiry],
      [version, reference, expiry, otherMac],
      [version, reference, String(Number(expiry) + 1), mac],
      [version, `${reference.slice(0, -1)}${reference.endsWith('A') ? 'B' : 'A'}`, expiry, mac],
      ['v2', reference, expiry, mac],
      [version, reference, expiry, mac, 'more'],
    ].map((parts) => `${publicUrl}/webhooks/${parts.join('.')}`);
    const unknownRoute = await (await handler(new Request(`${publicUrl}/nowhere`))).text();
    for (const url of [...forged, `${publicUrl}/webhooks/x`]) {
      const answer = await postWebhook(url, webhook('evt_1', 'application.submitted'));
      assert.equal(answer.status, 404, url);
      assert.equal(await answer.text(), unknownRoute);
    }
    assert.deepEqual(asked, []);
    assert.equal(verdicts.length, 0);
  });

  test('expires', async (t) => {
    const { begin, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    await clock.advance(179 * 24 * 60 * 60_000);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
    await clock.advance(2 * 24 * 60 * 60_000);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'))).status, 404);
  });

  test('survives the rotation of the secret until the old one is taken out', async (t) => {
    const store = memoryStore();
    const { begin, bridge, clock } = partner(t, { store });
    const { webhookUrl } = await begin();
    const other = 'another-secret-of-the-partner-0123456789';
    const withSecret = (secrets: string[]) =>
      partner(t, { store, secret: secrets, bridge, clock }).postWebhook(webhookUrl, webhook(secrets.join(), 'x'));
    assert.equal((await withSecret([other, secret])).status, 202);
    assert.equal((await withSecret([other])).status, 404);
  });

  test('of an application that the store does not know (yet) asks the bridge to come again', async (t) => {
    const { begin } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await partner(t).postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '5');
  });

  test('can be under another address than the rest', async (t) => {
    const { begin } = partner(t, { webhookUrl: 'https://tunnel.example/hooks/' });
    assert.match((await begin()).webhookUrl, /^https:\/\/tunnel\.example\/hooks\/v1\./);
  });
});

suite('a forged webhook with the right address', () => {
  const forgeries: [what: string, type: string, data: Record<string, unknown>][] = [
    ['a submission', 'application.submitted', {}],
    ['an approval', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] }],
    ['a step', 'application.progress_updated', { step: 'review', index: 6, count: 6 }],
    [
      'a link of an attacker',
      'application.requires_action',
      { state: 'TX', actionUrl: 'https://evil.example', reason: '' },
    ],
  ];
  for (const [what, type, data] of forgeries) {
    test(`changes nothing: ${what}`, async (t) => {
      const { begin, postWebhook, verdicts, facts, clock, request } = partner(t);
      const { webhookUrl } = await begin();
      const before = await (await request('/applications/app_1')).text();
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', type, data))).status, 202);
      await clock.advance(10_000);
      await until('its verdict', () => verdicts.length === 1);
      assert.equal(verdicts[0]?.outcome, 'refused');
      assert.equal(verdicts[0].checks.at(-1)?.name, 'confirm-with-bridge');
      assert.deepEqual(facts, []);
      assert.equal(await (await request('/applications/app_1')).text(), before);
    });
  }

  for (const name of ['applicationId', 'sessionId', 'userId']) {
    test(`is refused when it names another ${name}`, async (t) => {
      const { begin, postWebhook, verdicts, bridge } = partner(t);
      const { webhookUrl } = await begin();
      await begin('usr_2');
      bridge.move('app_2', submitted);
      const answer = await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted', { [name]: 'app_2' }));
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { code: string }).code, 'application_mismatch');
      assert.equal(verdicts[0]?.checks.at(-1)?.name, 'application');
      assert.deepEqual(bridge.readings, []);
    });
  }

  test('a flood of them costs the bridge a few readings', async (t) => {
    const { begin, postWebhook, bridge, clock } = partner(t);
    const { webhookUrl } = await begin();
    const statuses = await Promise.all(
      Array.from(
        { length: 300 },
        async (_, number) => (await postWebhook(webhookUrl, { id: `evt_${String(number)}` })).status,
      ),
    );
    await clock.advance(1_000);
    assert.ok(statuses.includes(503), 'the rest is asked to come again');
    assert.ok(bridge.readings.length <= 12, String(bridge.readings.length));
  });
});

suite('the body of a webhook', () => {
  const cases: [what: string, body: string, headers: Record<string, string>, expected: string][] = [
    ['empty', '', {}, '400 empty_body'],
    ['not JSON', 'id=1', {}, '400 malformed_json'],
    ['a form', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }, '415 unsupported_media_type'],
    ['too large', JSON.stringify('x'.repeat(70_000)), {}, '413 body_too_large'],
    ['too large by its own word', '{}', { 'content-length': '999999' }, '413 body_too_large'],
  ];
  for (const [what, body, headers, expected] of cases) {
    test(`is refused when it is ${what}: ${expected}`, async (t) => {
      const { begin, postWebhook, verdicts, bridge } = partner(t);
      const { webhookUrl } = await begin();
      const answer = await postWebhook(webhookUrl, body, headers);
      const { code, message } = (await answer.json()) as { code: string; message: string };
      assert.equal(`${String(answer.status)} ${code}`, expected);
      if (code === 'empty_body') assert.match(message, /express\.json\(\)/);
      assert.equal(verdicts[0]?.outcome, 'refused');
      assert.deepEqual(bridge.readings, []);
    });
  }

  test('is not awaited for ever, nor read beyond the limit', async (t) => {
    const { begin, handler, clock } = partner(t);
    const { webhookUrl } = await begin();
    const post = (body: ReadableStream<Uint8Array>) =>
      handler(
        new Request(webhookUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          duplex: 'half',
        } as RequestInit),
      );
    const slow = post(new ReadableStream());
    await until('the reading of the body', () => clock.timers > 0);
    await clock.advance(10_000);
    assert.equal((await slow).status, 408);

    let pulled = 0;
    const endless = post(
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1_024));
        },
      }),
    );
    assert.equal((await endless).status, 413);
    assert.ok(pulled < 70, String(pulled));
  });

  test('may have a charset or a +json type', async (t) => {
    const { begin, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    for (const type of ['application/json; charset=utf-8', 'application/cloudevents+json']) {
      assert.equal((await postWebhook(webhookUrl, { id: type }, { 'content-type': type })).status, 202);
    }
  });
});

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
    assert.deepEqual(
      second.facts.map(({ listener }) => listener),
      ['submitted', 'status', 'status'],
    );
    assert.equal(await store.unsettledMark('app_1'), 0);
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
    assert.equal(works.length, 1);
    assert.equal(facts.length, 3);
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

test('createLicensingHandler does nothing until the first request', () => {
  createLicensingHandler({
    bridge: {
      syncProfile: () => assert.fail(),
      createSession: () => assert.fail(),
      getApplication: () => assert.fail(),
    },
    secret,
    publicUrl,
    identify: () => assert.fail(),
    session: () => assert.fail(),
  });
});
