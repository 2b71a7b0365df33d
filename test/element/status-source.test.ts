import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { followStatus, type StatusSourceOptions } from '../../src/element/store/status-source.js';
import { settle } from '../channel/windows.js';
import { FakeEventSource, type FakePage, installPage, pass } from './node-page.js';

const application = (index: number) => ({ progress: { step: 'review', index, count: 6 }, states: [] });
const answer = (index: number) => () => Response.json(application(index));
const refuse = (status: number) => () => new Response('', { status });
const fail = () => Promise.reject(new TypeError('Failed to fetch'));

describe('followStatus', () => {
  let page: FakePage;
  let stop: AbortController;

  beforeEach(() => {
    page = installPage();
    stop = new AbortController();
  });

  afterEach(() => {
    stop.abort();
    page.restore();
  });

  type Changes = Partial<Pick<StatusSourceOptions, 'statusUrl' | 'eventsUrl' | 'isSubmitted' | 'signal'>>;

  function follow(answers: (() => unknown)[], changes: Changes = {}) {
    page.answerWith(...answers);
    const indexes: number[] = [];
    const given = { applicationId: 'app_1', statusUrl: '/status', eventsUrl: '', isSubmitted: true };
    const options = { ...given, signal: stop.signal, ...changes };
    const source = followStatus({ ...options, onApplication: ({ progress }) => indexes.push(progress.index) });
    return { source, indexes };
  }

  /** The number of requests after each of these pauses. */
  async function countAfter(...pausesMs: number[]): Promise<number[]> {
    const counts: number[] = [];
    for (const ms of pausesMs) {
      await pass(ms);
      counts.push(page.requests.length);
    }
    return counts;
  }

  const lastEvents = () => FakeEventSource.all.at(-1) ?? assert.fail();

  it('the pause between two polls grows from 2 to 30 seconds while nothing changes', async () => {
    follow([answer(1), answer(1)]);
    assert.deepEqual(await countAfter(0, 1_999, 1, 2_999, 1, 4_499, 1, 6_749, 1), [1, 1, 2, 2, 3, 3, 4, 4, 5]);
    for (const ms of [10_125, 15_188, 22_782, 29_999]) await pass(ms);
    const before = page.requests.length;
    assert.deepEqual(await countAfter(2, 29_999, 1, 29_999, 1), [
      before + 1,
      before + 1,
      before + 2,
      before + 2,
      before + 3,
    ]);
  });

  it('the pause is short again after a change, and each application is reported once', async () => {
    const { indexes } = follow([answer(1), answer(1), answer(1), answer(2)]);
    for (const ms of [0, 2_000, 3_000, 4_500]) await pass(ms);
    assert.deepEqual(indexes, [1, 2]);
    assert.deepEqual(await countAfter(1_999, 1), [4, 5]);
    assert.deepEqual(indexes, [1, 2]);
  });

  for (const [random, ms] of [
    [0, 1_800],
    [1, 2_200],
  ] as const)
    it(`the pause of two seconds is at ${random ? 'most' : 'least'} ${ms} ms, so that the polls of many pages spread`, async () => {
      mock.method(Math, 'random', () => random);
      follow([answer(1)]);
      assert.deepEqual(await countAfter(0, ms - 1, 1), [1, 1, 2]);
    });

  for (const status of [401, 403, 404, 410])
    it(`a status refused with ${status} is requested again after 5 minutes, or at once when the user comes back`, async () => {
      follow([refuse(status)]);
      assert.deepEqual(await countAfter(0, 299_999, 1), [1, 1, 2]);
      page.setHidden(false);
      assert.deepEqual(await countAfter(0), [3]);
      page.element.emit('focus');
      assert.deepEqual(await countAfter(0), [4]);
      page.answerWith(answer(1));
      assert.deepEqual(await countAfter(300_000, 2_000), [5, 6]);
    });

  it('an outage does not end the polls, and an answer of it is no application', async () => {
    const { indexes } = follow([fail, refuse(503), () => Response.json(application(3), { status: 500 }), answer(4)]);
    assert.deepEqual(await countAfter(0, 3_000, 4_500, 6_750), [1, 2, 3, 4]);
    assert.deepEqual(indexes, [4]);
  });

  it('a hidden page does not poll, and reads at once when it is shown', async () => {
    follow([answer(1)]);
    await pass(0);
    page.setHidden(true);
    page.element.emit('focus');
    assert.deepEqual(await countAfter(2_000, 600_000), [2, 2]);
    page.setHidden(false);
    assert.deepEqual(await countAfter(0), [3]);
  });

  it('a stopped source requests nothing and reports nothing, not even an answer that was in progress', async () => {
    let arrive: (response: Response) => void = () => undefined;
    const { source, indexes } = follow([() => new Promise((resolve) => (arrive = resolve))], { eventsUrl: '/events' });
    void source.refresh();
    stop.abort();
    assert.equal(lastEvents().readyState, FakeEventSource.CLOSED);
    arrive(Response.json(application(1)));
    lastEvents().send(application(2));
    page.setHidden(false);
    lastEvents().fail(0);
    await source.refresh();
    assert.deepEqual(await countAfter(600_000), [1]);
    assert.deepEqual(indexes, []);
  });

  it('events end the polls, and unreadable ones are ignored', async () => {
    const { indexes, source } = follow([answer(9)], { eventsUrl: '/events' });
    await pass(1_999);
    lastEvents().send(application(1));
    // The browser reconnects by itself.
    lastEvents().fail(0);
    lastEvents().send(application(2));
    const unreadable = ['', 'null', '{}', '<p>', '{"progress":{}}', '{"states":[]}', '{"progress":{},"states":[null]}'];
    const incomplete = ['{"progress":{},"states":[{"state":"TX"}]}', '{"progress":{},"states":[{"status":"denied"}]}'];
    for (const data of [...unreadable, ...incomplete]) lastEvents().send(data);
    assert.deepEqual(await countAfter(600_000), [0]);
    page.setHidden(false);
    assert.deepEqual([await countAfter(0), indexes], [[0], [1, 2]]);
    await source.refresh();
    assert.deepEqual(await countAfter(600_000), [1]);
    lastEvents().fail(FakeEventSource.CLOSED);
    assert.deepEqual(await countAfter(0, 3_000), [2, 3]);
  });

  it('the status is polled until an event arrives, and a browser that reconnects often does not delay the polls', async () => {
    const { indexes } = follow([answer(3)], { eventsUrl: '/events' });
    for (let second = 1; second <= 2; second += 1) {
      lastEvents().fail(0);
      await pass(1_000);
    }
    assert.deepEqual([page.requests.length, indexes], [1, [3]]);
    lastEvents().send(application(4));
    assert.deepEqual([await countAfter(600_000), indexes], [[1], [3, 4]]);
  });

  it('refused events are polled at once, and are opened again when the user comes back or asks', async () => {
    const { source } = follow([answer(3)], { eventsUrl: '/events' });
    lastEvents().fail(FakeEventSource.CLOSED);
    assert.deepEqual(await countAfter(0, 1_999, 1), [1, 1, 2]);
    page.setHidden(true);
    assert.equal(FakeEventSource.all.length, 1);
    page.setHidden(false);
    page.setHidden(false);
    assert.equal(FakeEventSource.all.length, 2);
    lastEvents().fail(FakeEventSource.CLOSED);
    await source.refresh();
    await source.refresh();
    assert.deepEqual(
      FakeEventSource.all.map(({ url }) => url),
      Array(3).fill('https://agency.example/events'),
    );
  });

  it('the status is polled at once when the URL of the events is invalid, and only then', async () => {
    follow([answer(3)], { eventsUrl: 'http://[' });
    assert.deepEqual([await countAfter(0), FakeEventSource.all.length], [[1], 0]);
    follow([answer(3)], { eventsUrl: '/events' });
    assert.deepEqual(await countAfter(0), [1]);
  });

  it('nothing is requested without the URL of a status', async () => {
    const { source } = follow([answer(3)], { statusUrl: '', eventsUrl: '/events' });
    await source.refresh();
    assert.deepEqual(await countAfter(600_000), [0]);
  });

  const held: [what: string, changes: Changes, protocol: string][] = [
    ['before the application was submitted', { isSubmitted: false }, 'h2'],
    ['of a page that came over HTTP/1.1, which has six connections', {}, 'http/1.1'],
  ];
  for (const [what, changes, protocol] of held)
    it(`no stream is opened ${what}, unless there is no status to poll`, async () => {
      page.setProtocol(protocol);
      follow([answer(1)], { eventsUrl: '/events', ...changes });
      assert.deepEqual([await countAfter(0, 2_000), FakeEventSource.all.length], [[1, 2], 0]);
      follow([answer(1)], { eventsUrl: '/events', statusUrl: '', ...changes });
      assert.equal(FakeEventSource.all.length, 1);
    });

  it('the stream opens once the application is submitted, and the status is polled within 2 seconds until an event arrives', async () => {
    const { source } = follow([answer(1)], { eventsUrl: '/events', isSubmitted: false });
    for (const ms of [0, 2_000, 3_000]) await pass(ms);
    source.onSubmitted();
    source.onSubmitted();
    assert.equal(FakeEventSource.all.length, 1);
    assert.deepEqual(await countAfter(1_999, 1), [3, 4]);
    lastEvents().send(application(2));
    assert.deepEqual(await countAfter(600_000), [4]);
  });

  it('many tabs have one stream, and each event reaches all that follow the same application', async () => {
    const tabs = Array.from({ length: 20 }, () => follow([answer(9)], { eventsUrl: '/events' }));
    lastEvents().send(application(1));
    await settle();
    const late = follow([answer(9)], { eventsUrl: '/events' });
    await settle();
    assert.deepEqual([FakeEventSource.all.length, late.indexes], [1, [1]]);
    assert.deepEqual(
      tabs.map(({ indexes }) => indexes),
      Array(20).fill([1]),
    );
    assert.deepEqual(await countAfter(600_000), [0]);
    lastEvents().fail(0);
    await settle();
    assert.deepEqual(await countAfter(2_000), [21]);
  });

  it('the next tab opens the stream when the one that had it closes, and a tab with another application polls', async () => {
    const first = new AbortController();
    follow([answer(9)], { eventsUrl: '/events', signal: first.signal });
    const other = follow([answer(9)], { eventsUrl: '/other' });
    lastEvents().send(application(1));
    await settle();
    assert.deepEqual([await countAfter(2_000), other.indexes], [[1], [9]]);
    first.abort();
    await settle();
    assert.deepEqual(
      FakeEventSource.all.map(({ url, readyState }) => [new URL(url).pathname, readyState]),
      [
        ['/events', FakeEventSource.CLOSED],
        ['/other', 1],
      ],
    );
    lastEvents().send(application(2));
    assert.deepEqual([await countAfter(600_000), other.indexes], [[1], [9, 2]]);
  });

  it('a page that is hidden for 5 seconds closes its stream, and reads and opens it again on return', async () => {
    follow([answer(2)], { eventsUrl: '/events' });
    lastEvents().send(application(1));
    page.setHidden(true);
    await pass(4_999);
    assert.equal(lastEvents().readyState, 1);
    await pass(1);
    assert.equal(lastEvents().readyState, FakeEventSource.CLOSED);
    page.setHidden(false);
    await settle();
    assert.deepEqual([FakeEventSource.all.length, page.requests.length], [2, 1]);
  });

  it('a page in the back/forward cache has no stream, and reads and opens it again when it is shown', async () => {
    follow([answer(2)], { eventsUrl: '/events' });
    lastEvents().send(application(1));
    page.element.emit('pagehide');
    assert.equal(lastEvents().readyState, FakeEventSource.CLOSED);
    page.element.emit('pageshow', { persisted: false });
    assert.equal(page.requests.length, 0);
    page.element.emit('pageshow', { persisted: true });
    await settle();
    assert.deepEqual([FakeEventSource.all.length, page.requests.length], [2, 1]);
  });

  it('the status is read at once when the network is back', async () => {
    follow([fail, answer(1)]);
    await pass(0);
    page.element.emit('online');
    assert.deepEqual(await countAfter(0), [2]);
  });

  it('the status is read now by refresh(), past the cache, and the next poll waits from then on', async () => {
    const { source, indexes } = follow([answer(1), answer(2)]);
    await settle();
    await pass(1_500);
    await source.refresh();
    assert.deepEqual(indexes, [1, 2]);
    assert.equal(page.requests[0]?.init.cache, 'no-store');
    assert.deepEqual(await countAfter(1_999, 1), [2, 3]);
  });
});
