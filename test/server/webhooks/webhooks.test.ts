import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type ApplicationListeners } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner, returnState, webhook } from '../support/partner.js';
import { bridgeError } from '../support/scripted-bridge.js';
import { until } from '../support/until.js';

const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
const wasSubmitted = webhook('evt_2', 'application.submitted');
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };
const requiresAction = {
  state: 'CA',
  status: 'requires_action',
  updatedAt: '2026-11-20T12:01:00.000Z',
  actionUrl: 'https://apply.example/a/1',
  reason: 'Send your fingerprints.',
};

suite('A webhook is acknowledged once it is handled', () => {
  test('The answer is 204, after the listener has handled what the bridge says.', async (t) => {
    let finish = () => {};
    const isFinished = new Promise<void>((resolve) => (finish = resolve));
    const received: unknown[] = [];
    const { begin, bridge, postWebhook } = partner(t, {
      on: {
        progress(event) {
          received.push(event);
          return isFinished;
        },
      },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', atIdentity);
    const order: string[] = [];
    const answer = postWebhook(webhookUrl, progressed).finally(() => order.push('answered'));
    await until('the listener', () => received.length === 1);
    order.push('handled');
    finish();
    assert.equal((await answer).status, 204);
    assert.deepEqual(order, ['handled', 'answered']);
    const event = { type: 'progress', eventId: 'app_1.progress.1.identity', applicationId: 'app_1' };
    assert.deepEqual(received, [{ ...event, sessionId: 'ses_1', userId: 'usr_1', ...atIdentity }]);
  });

  test('Listeners receive a whole application in order: submitted, action required, pending, decided.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    const [texas, california] = submitted.states as [object, object];
    const again = { ...requiresAction, updatedAt: '2026-11-20T12:03:00.000Z' };
    const chapters = [
      [texas, california],
      [texas, requiresAction],
      [texas, { ...california, updatedAt: '2026-11-20T12:02:00.000Z' }],
      [texas, again],
      [{ ...texas, status: 'approved', updatedAt: '2026-11-20T12:04:00.000Z' }, again],
    ];
    for (const [number, states] of chapters.entries()) {
      bridge.change('app_1', { ...submitted, states: states as typeof submitted.states });
      const answer = await postWebhook(webhookUrl, webhook(`evt_${String(number)}`, 'application.status_changed'));
      assert.equal(answer.status, 204);
    }
    assert.deepEqual(
      events.map(({ eventId }) => eventId.replace(/-[\w-]{12}$/, '-hash')),
      [
        'app_1.submitted.1.submitted',
        'app_1.status:TX.1.pending_review',
        'app_1.status:CA.1.pending_review',
        'app_1.status:CA.2.requires_action',
        'app_1.requiresAction:CA.1.2-hash',
        'app_1.status:CA.3.pending_review',
        'app_1.status:CA.4.requires_action',
        'app_1.requiresAction:CA.2.4-hash',
        'app_1.status:TX.2.approved',
      ],
    );
    assert.equal(JSON.stringify(events.map(({ eventId }) => eventId)).includes('apply.example'), false);
  });

  test('A webhook that is repeated a hundred times delivers nothing twice, and the bridge is read once at a time.', async (t) => {
    const { begin, bridge, postWebhook, events, clock } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const release = bridge.hold();
    const sent = Promise.all(Array.from({ length: 100 }, () => postWebhook(webhookUrl, wasSubmitted)));
    await until('the first reading', () => bridge.readings.length === 1);
    await clock.advance(1_000);
    assert.equal(bridge.readings.length, 1);
    release();
    assert.deepEqual([...new Set((await sent).map(({ status }) => status))], [204]);
    assert.equal(events.length, 3);
  });

  test('A webhook about a decided application is acknowledged without asking the bridge.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', approved);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    bridge.fail('unreachable');
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(events.length, 3);
  });

  test('The body of a webhook is never believed: listeners receive what the bridge says.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', atIdentity);
    for (const body of [{ hello: 'world' }, 17, [], 'null', webhook('evt', 'something.new', { states: 'TX' })]) {
      assert.equal((await postWebhook(webhookUrl, body)).status, 204, JSON.stringify(body));
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      ['progress'],
    );
  });
});

suite('A webhook that cannot be handled is 503, and the next one delivers what it was about', () => {
  test('A bridge that lags behind its own webhook is asked again when the webhook is repeated.', async (t) => {
    const { begin, bridge, postWebhook, events, entries } = partner(t);
    const { webhookUrl } = await begin();
    const early = await postWebhook(webhookUrl, wasSubmitted);
    assert.equal(early.status, 503);
    assert.equal(early.headers.get('retry-after'), '5');
    assert.match(String(entries.at(-1)?.message), /does not confirm "submitted" yet/);
    bridge.change('app_1', submitted);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(events.length, 3);
  });

  test('A claim about a state is confirmed by that status, by a final one and by a later one, and by nothing else.', async (t) => {
    const { begin, bridge, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    const claim = (status: string) =>
      postWebhook(webhookUrl, webhook('evt', 'application.status_changed', { states: [{ state: 'TX', status }] }));
    const state = (status: string, updatedAt: string) =>
      bridge.change('app_1', { ...submitted, states: [{ state: 'TX', status, updatedAt }] });
    state('pending_review', '2026-11-20T11:59:59.000Z');
    assert.equal((await claim('requires_action')).status, 503, 'the bridge has not noticed yet');
    assert.equal((await claim('approved')).status, 503);
    state('requires_action', '2026-11-20T12:00:00.000Z');
    assert.equal((await claim('requires_action')).status, 204);
    state('pending_review', '2026-11-20T12:00:01.000Z');
    assert.equal((await claim('requires_action')).status, 204, 'the state has moved on');
    assert.equal((await claim('approved')).status, 503);
    state('denied', '2026-11-20T12:00:02.000Z');
    assert.equal((await claim('pending_review')).status, 204);
  });

  for (const code of ['not_found', 'unreachable', 'unavailable', 'timeout', 'rate_limited', 'unreadable'] as const) {
    test(`A bridge that answers "${code}" loses no event.`, async (t) => {
      const { begin, bridge, postWebhook, events } = partner(t);
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      bridge.fail(code);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503);
      bridge.fail(undefined);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
      assert.equal(events.length, 3);
    });
  }

  test('A listener that fails for hours receives every event once it works again, in order; the page sees the state at once.', async (t) => {
    let isBroken = true;
    const calls: string[] = [];
    const fail = ({ eventId }: { eventId: string }) => {
      calls.push(eventId);
      if (isBroken) throw new Error('The database is away.');
    };
    const on: ApplicationListeners = { submitted: fail, status: fail };
    const { begin, bridge, postWebhook, request, clock, entries } = partner(t, { on });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    for (let hour = 0; hour < 24; hour += 1) {
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503);
      await clock.advance(60 * 60_000);
    }
    assert.deepEqual([...new Set(calls)], ['app_1.submitted.1.submitted'], 'later events wait for it');
    assert.match(JSON.stringify(entries), /listener\.failed.*The database is away\./);
    const seen = (await (await request('/applications/app_1')).json()) as typeof submitted;
    assert.equal(seen.progress.step, 'submitted');
    isBroken = false;
    calls.length = 0;
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.deepEqual(calls, [
      'app_1.submitted.1.submitted',
      'app_1.status:TX.1.pending_review',
      'app_1.status:CA.1.pending_review',
    ]);
  });

  test('A listener that takes longer than the sender waits is not called twice.', async (t) => {
    let calls = 0;
    let finish = () => {};
    const { begin, bridge, postWebhook, clock } = partner(t, {
      on: {
        submitted() {
          calls += 1;
          return new Promise<void>((resolve) => (finish = resolve));
        },
      },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const first = postWebhook(webhookUrl, wasSubmitted);
    await until('the listener', () => calls === 1);
    await clock.advance(9_000);
    assert.equal((await first).status, 503);
    const second = postWebhook(webhookUrl, wasSubmitted);
    await clock.advance(1_000);
    finish();
    assert.equal((await second).status, 204);
    assert.equal(calls, 1);
  });

  test('A listener that never ends is called again after 25 seconds.', async (t) => {
    let calls = 0;
    const { begin, bridge, postWebhook, clock } = partner(t, {
      on: { submitted: () => ((calls += 1) === 1 ? new Promise(() => {}) : undefined) },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const first = postWebhook(webhookUrl, wasSubmitted);
    await until('the listener', () => calls === 1);
    await clock.advance(25_000);
    assert.equal((await first).status, 503);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(calls, 2);
  });

  test('A store that fails is 503 with nothing lost, wherever it fails.', async (t) => {
    const store = memoryStore();
    let callsUntilFailure = Infinity;
    const failing = Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        async (...input: never[]): Promise<unknown> => {
          callsUntilFailure -= 1;
          if (callsUntilFailure === 0) throw new Error('The store is away.');
          return (method as (...values: never[]) => unknown)(...input);
        },
      ]),
    ) as unknown as typeof store;
    const { begin, bridge, postWebhook, events, handler } = partner(t, { store: failing });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    let failures = 0;
    for (let calls = 1; ; calls += 1) {
      callsUntilFailure = calls;
      const { status } = await postWebhook(webhookUrl, wasSubmitted);
      const wasReached = callsUntilFailure <= 0;
      callsUntilFailure = Infinity;
      if (status === 204 && !wasReached) break;
      assert.ok([204, 503].includes(status), String(status));
      failures += 1;
    }
    assert.ok(failures >= 2, String(failures));
    await handler.reconcile();
    const ids = new Set(events.map(({ eventId }) => eventId));
    assert.deepEqual(
      [...ids],
      ['app_1.submitted.1.submitted', 'app_1.status:TX.1.pending_review', 'app_1.status:CA.1.pending_review'],
    );
  });

  test('A webhook to a handler that is being closed is 503.', async (t) => {
    const { begin, handler, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    await handler.close();
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 503);
  });

  test('A webhook whose record is not in the store is 503.', async (t) => {
    const { begin } = partner(t);
    const { webhookUrl } = await begin();
    const { postWebhook, entries } = partner(t);
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 503);
    assert.match(String(entries.at(-1)?.message), /unknown_record/);
  });
});

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

  test('One that throws, hangs or returns something else is 503, and the webhook is handled once it works.', async (t) => {
    const failures: unknown[] = [
      () => {
        throw new Error('No keys.');
      },
      () => new Promise(() => {}),
      () => 'yes',
      () => 1,
      () => undefined,
    ];
    for (const failure of failures) {
      let verify = failure as () => boolean;
      const { begin, bridge, postWebhook, events, clock } = partner(t, { verifyWebhook: () => verify() });
      const { webhookUrl } = await begin();
      bridge.change('app_1', submitted);
      for (let repetition = 0; repetition < 3; repetition += 1) {
        let status = 0;
        void postWebhook(webhookUrl, wasSubmitted).then((answer) => (status = answer.status));
        await until('the answer', () => clock.advance(5_000).then(() => status !== 0));
        assert.equal(status, 503);
      }
      assert.equal(events.length, 0);
      verify = () => true;
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
      assert.equal(events.length, 3);
    }
  });
});

suite('A webhook of an application whose session was never saved finds it', () => {
  /** A user whose request failed after the bridge had created the application. */
  async function beginWithLostAnswer(t: Parameters<typeof partner>[0]) {
    const made = partner(t);
    const { create } = made.bridge.sessions;
    made.bridge.sessions.create = async (...input) => {
      await create(...input);
      throw bridgeError('unreachable', 'createSession');
    };
    assert.equal((await made.postSession()).status, 503);
    made.bridge.sessions.create = create;
    made.bridge.change('app_1', atIdentity);
    return { ...made, webhookUrl: made.bridge.requests[0]?.webhookUrl ?? '' };
  }

  test('Its event is delivered and its user can read it.', async (t) => {
    const { postWebhook, request, events, webhookUrl } = await beginWithLostAnswer(t);
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    assert.equal(events[0]?.eventId, 'app_1.progress.1.identity');
    assert.equal((await request('/applications/app_1')).status, 200);
    assert.equal((await request('/applications/app_1', { user: 'usr_2' })).status, 404);
  });

  test('The same request again continues that application.', async (t) => {
    for (const isReportedFirst of [false, true]) {
      const { postSession, postWebhook, bridge, webhookUrl } = await beginWithLostAnswer(t);
      bridge.resumed = 'app_1';
      if (isReportedFirst) await postWebhook(webhookUrl, progressed);
      const answer = (await (await postSession({ reason: 'open', returnState })).json()) as { applicationId: string };
      assert.equal(answer.applicationId, 'app_1');
      assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    }
  });

  test('An application of another user is not taken for it.', async (t) => {
    const { postWebhook, bridge, events, webhookUrl } = await beginWithLostAnswer(t);
    bridge.change('app_1', { userId: 'usr_2' });
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 503);
    assert.equal(events.length, 0);
  });
});

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
