import { expect, waitUntil } from '@open-wc/testing';
import type { Application } from '../../src/contract/index.js';
import { followStatus } from '../../src/element/status/status-source.js';

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
class Events extends EventTarget {
  static readonly CLOSED = 2;
  static last: Events | undefined;
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    // Throws for what is no address, as the browser's own does.
    this.url = new URL(url, document.baseURI).href;
    Events.last = this;
  }
  say(data: string): void {
    this.dispatchEvent(new MessageEvent('application', { data }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = Events.CLOSED;
  }
}

const stops: (() => void)[] = [];

function setup(answers: (() => Response | Promise<Response>)[], addresses: { statusUrl: string; eventsUrl: string }) {
  const original = { fetch: window.fetch, EventSource: window.EventSource, setTimeout: window.setTimeout };
  const pauses: number[] = [];
  let asked = 0;
  window.fetch = () => Promise.resolve((answers[Math.min(asked++, answers.length - 1)] ?? Response.error)());
  window.EventSource = Events as unknown as typeof EventSource;
  window.setTimeout = ((act: () => void, delayMs = 0) => {
    if (delayMs >= 1_500) pauses.push(delayMs);
    return original.setTimeout.call(window, act, delayMs >= 1_500 ? 1 : delayMs);
  }) as typeof window.setTimeout;
  const ending = new AbortController();
  const heard: number[] = [];
  const source = followStatus({
    ...addresses,
    signal: ending.signal,
    onApplication: ({ progress }) => heard.push(progress.index),
  });
  const stop = () => {
    ending.abort();
    Object.assign(window, original);
  };
  stops.push(stop);
  return {
    heard,
    pauses,
    source,
    asked: () => asked,
    stop,
  };
}

describe('following the status', () => {
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  it('listens to the events of the server and leaves reconnecting to the browser', () => {
    const stage = setup([], { statusUrl: '/status', eventsUrl: '/events' });
    Events.last?.say(JSON.stringify(application(1)));
    Events.last?.fail(0);
    Events.last?.say(JSON.stringify(application(2)));
    for (const garbage of [
      '',
      'null',
      '{}',
      '<p>',
      '{"progress":{}}',
      '{"progress":{},"states":[null]}',
      '{"progress":{},"states":[{}]}',
    ])
      Events.last?.say(garbage);
    expect(stage.heard).to.deep.equal([1, 2]);
    expect(stage.asked()).to.equal(0);
    stage.stop();
    expect(Events.last?.readyState).to.equal(Events.CLOSED);
  });

  it('asks instead when the events end for good', async () => {
    const stage = setup([() => Response.json(application(3))], { statusUrl: '/status', eventsUrl: '/events' });
    Events.last?.fail(Events.CLOSED);
    await waitUntil(() => stage.heard.length > 0);
    expect(stage.heard).to.deep.equal([3]);
    stage.stop();
  });

  it('asks where the address of the events is none', async () => {
    const stage = setup([() => Response.json(application(3))], { statusUrl: '/status', eventsUrl: 'http://[' });
    await waitUntil(() => stage.heard.length > 0);
    expect(stage.heard).to.deep.equal([3]);
    stage.stop();
  });

  it('follows nothing, and breaks nothing, where neither address is one', async () => {
    const source = followStatus({
      statusUrl: 'http://[',
      eventsUrl: 'http://[',
      signal: AbortSignal.timeout(1_000),
      onApplication: () => expect.fail('There is nobody to hear from.'),
    });
    await source.refresh();
  });

  it('asks less and less often while nothing changes, and often again when something did', async () => {
    const same = () => Response.json(application(1));
    const answers = [same, same, same, same, () => Response.json(application(2)), same];
    const stage = setup(answers, { statusUrl: '/status', eventsUrl: '' });
    await waitUntil(() => stage.asked() > 5);
    stage.stop();
    const [first = 0, second = 0, third = 0, fourth = 0, again = 0] = stage.pauses;
    expect(second).to.be.above(first);
    expect(fourth).to.be.above(third);
    expect(again).to.be.below(third);
  });

  it('survives an outage and stops when the server says no', async () => {
    const answers = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response('', { status: 503 }),
      () => Response.json(application(4)),
      () => new Response('', { status: 403 }),
    ];
    const stage = setup(answers, { statusUrl: '/status', eventsUrl: '' });
    await waitUntil(() => stage.asked() === 4);
    const rounds = stage.pauses.length;
    // A further round would have been planned by the answer itself.
    await Promise.resolve();
    expect(stage.heard).to.deep.equal([4]);
    expect(stage.pauses).to.have.length(rounds);
    expect(stage.asked()).to.equal(4);
    expect(stage.pauses[1]).to.be.above((stage.pauses[0] ?? 0) * 1.05);
    stage.stop();
  });
});
