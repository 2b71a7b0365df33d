import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { streamEventsRoute } from '../../../src/server/handler/application-routes.js';
import { createServices } from '../../../src/server/handler/services.js';
import { memoryStore, type LicensingUser } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner, publicUrl, secret, webhook } from '../support/partner.js';

const eventsOf = '/applications/app_1/events';
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };
const progressed = webhook('evt_1', 'application.progress_updated');

/** Reads a stream chunk by chunk. */
function reading(answer: Response) {
  assert.ok(answer.body);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value ?? '';
  /** The next event, without heartbeats and the reconnection time. */
  async function nextEvent(): Promise<string> {
    for (;;) {
      const chunk = await next();
      if (chunk === '' || chunk.startsWith('event: ')) return chunk;
    }
  }
  return { next, nextEvent, cancel: () => reader.cancel() };
}

function dataOf(chunk: string): { progress: { step: string; index: number } } {
  const line = chunk.split('\n').find((part) => part.startsWith('data: '));
  assert.ok(line, chunk);
  return JSON.parse(line.slice(6)) as { progress: { step: string; index: number } };
}

const idOf = (chunk: string) => /^id: (.*)$/m.exec(chunk)?.[1] ?? '';

suite('GET /applications/{applicationId}/events', () => {
  test('The stream sends the whole application at once and after each change, and a heartbeat while nothing happens, and no proxy holds it back.', async (t) => {
    const { begin, bridge, request, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await request(eventsOf, { headers: { accept: 'text/event-stream' } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-store, no-transform');
    assert.equal(answer.headers.get('x-accel-buffering'), 'no');
    const { next } = reading(answer);
    assert.equal(await next(), 'retry: 3000\n\n');
    const first = await next();
    assert.match(first, /^event: application\nid: \w+\ndata: \{.*\}\n\n$/);
    assert.equal(dataOf(first).progress.step, 'not_started');

    const waiting = [next(), next()] as const;
    bridge.change('app_1', atIdentity);
    await postWebhook(webhookUrl, progressed);
    const second = await waiting[0];
    assert.notEqual(idOf(second), idOf(first));
    assert.equal(dataOf(second).progress.index, 2);

    let isSilent = true;
    void waiting[1].then(() => (isSilent = false));
    await clock.advance(11_999);
    assert.equal(isSilent, true);
    await clock.advance(1);
    assert.equal(await waiting[1], ': heartbeat\n\n');
  });

  for (const [title, next] of [
    ['signs out', () => null],
    ['is another one', () => ({ userId: 'usr_2', profile: { firstName: 'Ada' } })],
    ['cannot be identified', () => Promise.reject(new Error('wombat'))],
  ] as const)
    test(`The stream ends without the next change after its user ${title}.`, async (t) => {
      let identify: () => LicensingUser | null | Promise<never> = () => ({
        userId: 'usr_1',
        profile: { firstName: 'Ada' },
      });
      const { begin, bridge, request, postWebhook, clock } = partner(t, { identify: () => identify() });
      const { webhookUrl } = await begin();
      const stream = reading(await request(eventsOf));
      await stream.nextEvent();
      identify = next;
      bridge.change('app_1', atIdentity);
      await postWebhook(webhookUrl, progressed);
      await clock.advance(3_000);
      assert.equal(await stream.nextEvent(), '');
    });

  test('A browser that reconnects receives the application only if it has changed.', async (t) => {
    const { begin, bridge, request, clock } = partner(t);
    await begin();
    const first = reading(await request(eventsOf));
    const id = idOf(await first.nextEvent());
    await first.cancel();
    const reconnect = (lastId: string) => request(eventsOf, { headers: { 'last-event-id': lastId } });
    const same = reading(await reconnect(id));
    await same.next();
    const heartbeat = same.next();
    await clock.advance(15_000);
    assert.equal(await heartbeat, ': heartbeat\n\n');
    bridge.change('app_1', atIdentity);
    for (const lastId of [id, '7', '-1', 'x', '1e0', '9'.repeat(40)]) {
      const { nextEvent, cancel } = reading(await reconnect(lastId));
      assert.equal(dataOf(await nextEvent()).progress.step, 'identity', lastId);
      await cancel();
    }
  });

  test('A browser that reconnects after the listeners have run does not receive the same state again.', async (t) => {
    const { begin, bridge, request, postWebhook, clock, events } = partner(t);
    const { webhookUrl } = await begin();
    const first = reading(await request(eventsOf));
    await first.nextEvent();
    bridge.change('app_1', submitted);
    // The state is written before the listeners are called, and what they have handled afterwards.
    const news = first.nextEvent();
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 204);
    assert.ok(events.length > 0);
    const id = idOf(await news);
    await first.cancel();
    const again = reading(await request(eventsOf, { headers: { 'last-event-id': id } }));
    await again.next();
    const next = again.next();
    await clock.advance(15_000);
    assert.equal(await next, ': heartbeat\n\n');
  });

  test('The stream of a decided application ends, and a browser that reconnects to it is answered 204.', async (t) => {
    const { begin, bridge, request, postWebhook, clock } = partner(t);
    const { webhookUrl } = await begin();
    const timers = clock.timers;
    const open = await request(eventsOf);
    bridge.change('app_1', approved);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.status_changed'))).status, 204);
    // The listeners handled the decision after the page had seen it, so the stream ends with its
    // next reading.
    await clock.advance(30_000);
    assert.match(await open.text(), /"approved"/);
    const again = await request(eventsOf);
    const text = await again.text();
    assert.match(text, /"approved"/);
    const last = await request(eventsOf, { headers: { 'last-event-id': idOf(text) } });
    assert.equal(last.status, 204);
    assert.equal(clock.timers, timers);
  });

  test('A slow browser receives the newest state, not all that were between.', async (t) => {
    const { begin, bridge, request, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    const answer = await request(eventsOf);
    for (let index = 1; index <= 50; index += 1) {
      bridge.change('app_1', { progress: { step: `step_${index}`, index, count: 99 } });
      assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    }
    const { nextEvent } = reading(answer);
    const seen: number[] = [];
    for (let last = 0; last < 50; seen.push(last)) last = dataOf(await nextEvent()).progress.index;
    assert.ok(seen.length <= 3, seen.join());
  });

  test('A stream ends after 15 minutes, so that the user is identified again, and with close().', async (t) => {
    const { begin, request, clock, stop } = partner(t);
    await begin();
    const text = (await request(eventsOf)).text();
    let isOpen = true;
    void text.then(() => (isOpen = false));
    await clock.advance(15 * 60_000 - 1);
    assert.equal(isOpen, true);
    await clock.advance(1);
    assert.match(await text, /^retry: /);

    const second = await request(eventsOf);
    await stop();
    assert.match(await second.text(), /event: application/);
    assert.equal((await request(eventsOf)).status, 503);
  });

  test('While a browser follows an application, a lost webhook is made up for within 30 seconds, also after an outage.', async (t) => {
    const { begin, bridge, request, clock, events } = partner(t);
    await begin();
    const { nextEvent } = reading(await request(eventsOf));
    await nextEvent();
    const readings = bridge.readings.length;
    await clock.advance(29_999);
    assert.equal(bridge.readings.length, readings);
    await clock.advance(1);
    assert.equal(bridge.readings.length, readings + 1);
    bridge.fail('unreachable');
    await clock.advance(95_000);
    bridge.fail(undefined);
    bridge.change('app_1', submitted);
    await clock.advance(30_000);
    assert.equal(dataOf(await nextEvent()).progress.step, 'submitted');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['submitted', 'status', 'status'],
    );
  });

  test('A browser that follows at one instance sees what another instance has read within three seconds.', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const second = partner(t, { store, bridge: first.bridge });
    const { webhookUrl } = await first.begin();
    const { nextEvent } = reading(await second.request(eventsOf));
    await nextEvent();
    first.bridge.change('app_1', submitted);
    await first.postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    const readings = second.bridge.readings.length;
    const event = nextEvent();
    let isSeen = false;
    void event.then(() => (isSeen = true));
    await second.clock.advance(2_999);
    assert.equal(isSeen, false);
    await second.clock.advance(1);
    assert.equal(dataOf(await event).progress.step, 'submitted');
    assert.equal(second.bridge.readings.length, readings, 'the store is read, not the bridge');
    assert.equal(second.events.length, 0, 'delivered by the instance that read it');
  });
});

suite('The number of streams is limited', () => {
  test('A user has at most 20 streams; failed ones, those that have ended and other users do not count.', async (t) => {
    const { begin, bridge, request } = partner(t);
    await begin();
    await begin('usr_2');
    bridge.fail('unreachable');
    const failed = await Promise.all(Array.from({ length: 30 }, () => request(eventsOf)));
    assert.ok(failed.every(({ status }) => status === 503));
    bridge.fail(undefined);
    const open = await Promise.all(Array.from({ length: 21 }, () => request(eventsOf)));
    const statuses = open.map(({ status }) => status);
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 200), 429]);
    assert.equal(open[20]?.headers.get('retry-after'), '30');
    assert.equal((await request('/applications/app_2/events', { user: 'usr_2' })).status, 200);
    await open[0]?.body?.cancel();
    assert.equal((await request(eventsOf)).status, 200);
  });

  test('An instance has at most 10,000 streams; the next one is 503 until one ends.', async (t) => {
    const store = memoryStore();
    const { begin, bridge, clock } = partner(t, { store });
    await begin();
    const options = { bridge, store, clock, secret, publicUrl, session: () => assert.fail() };
    const services = createServices({ ...options, identify: () => ({ userId: 'usr_1' }) }, () => false);
    const scope = {
      parameter: 'app_1',
      context: undefined,
      findPeerAddress: () => assert.fail(),
      waitUntil: () => undefined,
    };
    const open = () => streamEventsRoute(services, new Request(publicUrl), scope);
    const another = { userId: 'usr_2', recordId: '', wake: () => undefined, end: () => undefined };
    for (let count = 1; count < 10_000; count += 1) services.streams.add({ ...another });
    const last = await open();
    await assert.rejects(open(), { code: 'busy', status: 503 });
    await last.body?.cancel();
    assert.equal((await open()).status, 200);
  });
});
