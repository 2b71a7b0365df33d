import { expect, waitUntil } from '@open-wc/testing';
import type { Application } from '../../src/contract/index.js';
import { followStatus } from '../../src/element/store/status-source.js';
import { fakeTimers, type FakeTimers } from './clock.js';

const application = (index: number): Application => ({
  applicationId: 'app_1',
  sessionId: 'ses_1',
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  progress: { step: 'review', index, count: 6 },
  states: [],
});

/** Server-sent events under the test's control. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static last: FakeEventSource | undefined;
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    // Throws for an invalid URL, as the browser does.
    this.url = new URL(url, document.baseURI).href;
    FakeEventSource.last = this;
  }
  send(data: string): void {
    this.dispatchEvent(new MessageEvent('application', { data }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

type Answer = () => Response | Promise<Response>;

const unchanged = () => Response.json(application(1));

describe('followStatus', () => {
  const original = { fetch: window.fetch, EventSource: window.EventSource, random: Math.random };
  let clock: FakeTimers;
  let stop: AbortController;

  beforeEach(() => {
    clock = fakeTimers();
    stop = new AbortController();
    // The pauses are spread by ten percent.
    Math.random = () => 0.5;
  });

  afterEach(() => {
    stop.abort();
    clock.restore();
    Object.assign(window, { fetch: original.fetch, EventSource: original.EventSource });
    Math.random = original.random;
  });

  /** Follows with these responses; the last one repeats. */
  function follow(answers: Answer[], urls: { statusUrl?: string; eventsUrl?: string } = {}) {
    let requests = 0;
    let answered = 0;
    window.fetch = async () => {
      const answer = answers[Math.min(requests, answers.length - 1)];
      requests += 1;
      // The pause starts after the response, which is read in separate tasks.
      setTimeout(() => (answered += 1));
      return answer?.() ?? Response.error();
    };
    window.EventSource = FakeEventSource as unknown as typeof EventSource;
    const indexes: number[] = [];
    const source = followStatus({
      statusUrl: '/status',
      eventsUrl: '',
      ...urls,
      signal: stop.signal,
      onApplication: ({ progress }) => indexes.push(progress.index),
    });
    return {
      source,
      indexes,
      requests: () => requests,
      /** Resolves when this number of responses was read. */
      untilAnswered: async (count: number) => {
        await waitUntil(() => answered >= count);
        await new Promise((resolve) => setTimeout(resolve, 10));
      },
    };
  }

  /** Returns the pauses before the next requests, in seconds. */
  async function measurePauses(followed: ReturnType<typeof follow>, count: number): Promise<number[]> {
    const pauses: number[] = [];
    while (pauses.length < count) {
      const before = followed.requests();
      await followed.untilAnswered(before);
      let seconds = 0;
      for (; followed.requests() === before && seconds < 600; seconds += 0.5) clock.advance(500);
      pauses.push(seconds);
    }
    return pauses;
  }

  it('server-sent events are followed without polling, and unreadable ones are ignored', () => {
    const { indexes, requests } = follow([], { eventsUrl: '/events' });
    FakeEventSource.last?.send(JSON.stringify(application(1)));
    // The browser reconnects by itself.
    FakeEventSource.last?.fail(0);
    FakeEventSource.last?.send(JSON.stringify(application(2)));
    const unreadable = ['', 'null', '{}', '<p>', '{"progress":{}}'];
    const incomplete = ['{"progress":{},"states":[null]}', '{"progress":{},"states":[{}]}'];
    for (const data of [...unreadable, ...incomplete]) FakeEventSource.last?.send(data);
    expect(indexes).to.deep.equal([1, 2]);
    expect(requests()).to.equal(0);
    stop.abort();
    expect(FakeEventSource.last?.readyState).to.equal(FakeEventSource.CLOSED);
  });

  it('the status is polled until an event arrives: a proxy may hold the events back', async () => {
    const { indexes, requests } = follow([() => Response.json(application(3))], { eventsUrl: '/events' });
    clock.advance(2_000);
    await waitUntil(() => indexes.length > 0);
    // A browser that reconnects again and again does not delay the next poll.
    for (let seconds = 0; seconds < 4; seconds += 1) {
      FakeEventSource.last?.fail(0);
      clock.advance(1_000);
    }
    await waitUntil(() => requests() === 2);
    FakeEventSource.last?.send(JSON.stringify(application(4)));
    clock.advance(600_000);
    expect(indexes).to.deep.equal([3, 4]);
    expect(requests()).to.equal(2);
  });

  it('the status is polled when the server refuses the events', async () => {
    const { indexes } = follow([() => Response.json(application(3))], { eventsUrl: '/events' });
    FakeEventSource.last?.fail(FakeEventSource.CLOSED);
    await waitUntil(() => indexes.length > 0);
    expect(indexes).to.deep.equal([3]);
  });

  it('refused events are opened again when the page is visible again', () => {
    follow([unchanged], { eventsUrl: '/events' });
    const refused = FakeEventSource.last;
    refused?.fail(FakeEventSource.CLOSED);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(FakeEventSource.last).not.to.equal(refused);
  });

  it('the status is polled when the URL of the events is invalid', async () => {
    const { indexes } = follow([() => Response.json(application(3))], { eventsUrl: 'http://[' });
    await waitUntil(() => indexes.length > 0);
    expect(indexes).to.deep.equal([3]);
  });

  it('two invalid URLs are followed without an error', async () => {
    window.fetch = original.fetch;
    const source = followStatus({
      statusUrl: 'http://[',
      eventsUrl: 'http://[',
      signal: stop.signal,
      onApplication: () => expect.fail('There is no application.'),
    });
    await source.refresh();
  });

  it('the pause between two polls grows up to 30 seconds, and is short again after a change', async () => {
    const followed = follow([...Array<Answer>(9).fill(unchanged), () => Response.json(application(2)), unchanged]);
    const pauses = await measurePauses(followed, 10);
    expect(pauses.slice(0, 4)).to.deep.equal([2, 3, 4.5, 7]);
    expect(pauses.slice(7, 9)).to.deep.equal([30, 30]);
    expect(pauses[9]).to.equal(2);
    expect(followed.indexes).to.deep.equal([1, 2]);
  });

  it('polling survives an outage, and waits 5 minutes after a refusal', async () => {
    const followed = follow([
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response('', { status: 503 }),
      () => Response.json(application(4)),
      () => new Response('', { status: 403 }),
    ]);
    expect(await measurePauses(followed, 4)).to.deep.equal([3, 4.5, 2, 300]);
    expect(followed.indexes).to.deep.equal([4]);
  });
});
