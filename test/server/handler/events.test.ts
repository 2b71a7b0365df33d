import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const submitted = {
  progress: { step: 'submitted', index: 6, count: 6 },
  submittedAt: '2026-11-20T12:00:00.000Z',
  states: [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' }],
};

/** A store that counts who listens. */
function countingStore() {
  const store = memoryStore();
  const count = { listeners: 0 };
  return {
    count,
    store: {
      ...store,
      async subscribe(applicationId: string, onChange: () => void) {
        const unsubscribe = await store.subscribe(applicationId, onChange);
        count.listeners += 1;
        return () => {
          count.listeners -= 1;
          unsubscribe();
        };
      },
    },
  };
}

/** Reads a stream chunk by chunk. */
function reading(answer: Response) {
  assert.ok(answer.body);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  return { next: async () => (await reader.read()).value, cancel: () => reader.cancel() };
}

function dataOf(chunk: string | undefined): { progress: { step: string; index: number } } {
  const line = chunk?.split('\n').find((part) => part.startsWith('data: '));
  assert.ok(line, chunk);
  return JSON.parse(line.slice(6)) as { progress: { step: string; index: number } };
}

suite('GET /applications/{applicationId}/events', () => {
  test('sends the whole application at once and at every change', async (t) => {
    const { begin, bridge, request, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await request('/applications/app_1/events', { headers: { accept: 'text/event-stream' } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    // What a proxy in between must not keep, change or hold back.
    assert.equal(answer.headers.get('cache-control'), 'no-store, no-transform');
    assert.equal(answer.headers.get('x-accel-buffering'), 'no');
    const { next } = reading(answer);
    assert.equal(await next(), 'retry: 3000\n\n');
    const first = await next();
    assert.match(first ?? '', /^event: application\nid: 1\ndata: \{.*\}\n\n$/);
    assert.equal(dataOf(first).progress.step, 'not_started');

    bridge.move('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    const arriving = next();
    await postWebhook(webhookUrl, webhook('evt_1', 'application.progress_updated'));
    // The reading before was just now.
    await clock.advance(200);
    const chunk = await arriving;
    assert.match(chunk ?? '', /\nid: 2\n/);
    assert.equal(dataOf(chunk).progress.index, 2);
  });

  test('sends each change once to a browser that is waiting for it', async (t) => {
    const { begin, bridge, request, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    const { next } = reading(await request('/applications/app_1/events'));
    for (const expected of ['retry', 'event']) assert.match((await next()) ?? '', new RegExp(`^${expected}: `));
    const waiting = [next(), next()];
    await clock.advance(0);
    bridge.move('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    await postWebhook(webhookUrl, webhook('evt_1', 'application.progress_updated'));
    assert.equal(dataOf(await waiting[0]).progress.step, 'identity');
    await clock.advance(15_000);
    assert.equal(await waiting[1], ': still here\n\n');
  });

  test('sends a browser that comes back only what it has not seen', async (t) => {
    const { begin, bridge, request, clock } = partner(t);
    await begin();
    await (await request('/applications/app_1/events')).body?.cancel();
    const back = (id: string) => request('/applications/app_1/events', { headers: { 'last-event-id': id } });
    const same = reading(await back('1'));
    await same.next();
    const heartbeat = same.next();
    await clock.advance(15_000);
    assert.match((await heartbeat) ?? '', /^: /, 'nothing but a sign of life');
    bridge.move('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    for (const id of ['1', '7', '-1', 'x', '1e0', '9'.repeat(40)]) {
      await clock.advance(2_000);
      const { next, cancel } = reading(await back(id));
      await next();
      assert.match((await next()) ?? '', /\nid: 2\n/, id);
      await cancel();
    }
  });

  test('shows signs of life while nothing happens', async (t) => {
    const { begin, request, clock } = partner(t);
    await begin();
    const { next } = reading(await request('/applications/app_1/events'));
    await next();
    await next();
    const heartbeat = next();
    await clock.advance(15_000);
    assert.match((await heartbeat) ?? '', /^: .+\n\n$/);
  });

  test('keeps only the newest state for a browser that is slow', async (t) => {
    const { begin, bridge, request, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await request('/applications/app_1/events');
    for (let index = 1; index <= 50; index += 1) {
      bridge.move('app_1', { progress: { step: 'profile', index, count: 99 } });
      await postWebhook(webhookUrl, { id: `evt_${String(index)}` });
      await clock.advance(1_000);
    }
    const { next } = reading(answer);
    const seen: number[] = [];
    await next();
    for (let last = 0; last < 50; seen.push(last)) last = dataOf(await next()).progress.index;
    assert.equal(seen.at(-1), 50);
    assert.ok(seen.length <= 3, seen.join());
  });

  test('leaves nothing behind when the browser goes away', async (t) => {
    const { store, count } = countingStore();
    const { begin, request, clock } = partner(t, { store });
    await begin();
    const before = clock.timers;
    const opening = Promise.all(Array.from({ length: 20 }, () => request('/applications/app_1/events')));
    await clock.advance(200);
    const streams = await opening;
    assert.equal(count.listeners, 20);
    for (const { body } of streams) await body?.cancel();
    await clock.advance(0);
    assert.equal(count.listeners, 0);
    assert.equal(clock.timers, before);
  });

  test('leaves nothing behind when the browser goes away before it is listened for', async (t) => {
    const { store, count } = countingStore();
    let letIn = () => {};
    const waiting = new Promise<void>((resolve) => (letIn = resolve));
    const slow = {
      ...store,
      subscribe: (...input: Parameters<typeof store.subscribe>) => waiting.then(() => store.subscribe(...input)),
    };
    const { begin, request, handler, clock } = partner(t, { store: slow });
    await begin();
    const opening = request('/applications/app_1/events');
    await clock.advance(0);
    await handler.close();
    letIn();
    await opening;
    assert.equal(count.listeners, 0);
  });

  test('leaves nothing behind when the first reading fails', async (t) => {
    const { store, count } = countingStore();
    const { begin, request, bridge, clock } = partner(t, { store });
    await begin();
    const before = clock.timers;
    bridge.fail('unreachable');
    assert.equal((await request('/applications/app_1/events')).status, 503);
    await clock.advance(200);
    assert.equal(count.listeners, 0);
    assert.equal(clock.timers, before);
  });

  test('ends after a while, so that who may listen is asked again, and with close()', async (t) => {
    const { begin, request, clock, stop } = partner(t);
    await begin();
    const first = await request('/applications/app_1/events');
    const text = first.text();
    await clock.advance(15 * 60_000);
    assert.match(await text, /^retry: /);

    const second = await request('/applications/app_1/events');
    await stop();
    assert.match(await second.text(), /event: application/);
    assert.equal((await request('/applications/app_1/events')).status, 503);
  });

  test('makes up for a webhook that was lost', async (t) => {
    const { begin, bridge, request, clock, facts } = partner(t);
    await begin();
    const { next } = reading(await request('/applications/app_1/events'));
    await next();
    await next();
    bridge.move('app_1', submitted);
    await clock.advance(31_000);
    const chunks = [await next(), await next(), await next()];
    assert.ok(chunks.some((chunk) => chunk?.includes('"step":"submitted"')));
    assert.deepEqual(
      facts.map(({ listener }) => listener),
      ['submitted', 'status'],
    );
  });

  test('goes on while the bridge cannot be asked', async (t) => {
    const { begin, bridge, request, clock } = partner(t);
    await begin();
    const { next } = reading(await request('/applications/app_1/events'));
    await next();
    await next();
    bridge.fail('unreachable');
    await clock.advance(95_000);
    bridge.fail(undefined);
    bridge.move('app_1', submitted);
    await clock.advance(31_000);
    let chunk = await next();
    while (chunk?.startsWith(':')) chunk = await next();
    assert.equal(dataOf(chunk).progress.step, 'submitted');
  });

  test('of another instance gets the news through the store', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const second = partner(t, { store, bridge: first.bridge });
    const { webhookUrl } = await first.begin();
    const { next } = reading(await second.request('/applications/app_1/events'));
    await next();
    await next();
    first.bridge.move('app_1', submitted);
    await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    assert.equal(dataOf(await next()).progress.step, 'submitted');
    await until('the verdict', () => first.verdicts.length === 1);
    assert.equal(second.facts.length, 0, 'told by the instance that read it');
  });
});

suite('the number of streams', () => {
  const follow = { headers: { accept: 'text/event-stream' } };

  test('of one user is limited; another user, and a stream that ends, are not affected', async (t) => {
    const { begin, request } = partner(t, { streams: { maxPerUser: 2 } });
    await begin();
    await begin('usr_2');
    const open = [
      await request('/applications/app_1/events', follow),
      await request('/applications/app_1/events', follow),
    ];
    const refused = await request('/applications/app_1/events', follow);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '30');
    assert.equal(((await refused.json()) as { code: string }).code, 'too_many_streams');
    assert.equal((await request('/applications/app_2/events', { ...follow, user: 'usr_2' })).status, 200);
    await open[0]?.body?.cancel();
    assert.equal((await request('/applications/app_1/events', follow)).status, 200);
  });

  test('of all is limited', async (t) => {
    const { begin, request } = partner(t, { streams: { maxTotal: 3 } });
    for (const user of ['usr_1', 'usr_2', 'usr_3', 'usr_4']) await begin(user);
    const open: Response[] = [];
    for (const number of ['1', '2', '3', '4']) {
      open.push(await request(`/applications/app_${number}/events`, { ...follow, user: `usr_${number}` }));
    }
    const statuses = open.map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 200, 503]);
    await open[0]?.body?.cancel();
    assert.equal((await request('/applications/app_4/events', { ...follow, user: 'usr_4' })).status, 200);
  });

  test('counts those that are still being opened, and not those that failed', async (t) => {
    const { begin, request, bridge, clock } = partner(t, { streams: { maxPerUser: 2 } });
    await begin();
    bridge.fail('unreachable');
    const failing = Promise.all([1, 2, 3].map(() => request('/applications/app_1/events', follow)));
    await clock.advance(1_000);
    assert.deepEqual((await failing).map(({ status }) => status).sort(), [429, 503, 503]);
    bridge.fail(undefined);
    assert.equal((await request('/applications/app_1/events', follow)).status, 200);
  });

  for (const streams of [{ maxPerUser: 0 }, { maxTotal: -1 }, { maxTotal: NaN }]) {
    test(`cannot be limited to ${JSON.stringify(streams)}`, (t) => {
      assert.throws(() => partner(t, { streams }), TypeError);
    });
  }
});
