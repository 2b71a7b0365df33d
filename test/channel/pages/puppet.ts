/*
 * A page of another origin that the test controls: it sends a control port to the test and runs the
 * functions that it receives on it. With `?start=page&allow=ORIGIN` it also opens its end of the
 * channel, like a hosted page.
 */
import type { ElementMessages, PageEnd, Rejection } from '../../../src/channel/index.js';
import * as channel from '../../../src/channel/index.js';
import * as hosted from '../../../src/hosted/index.js';

/** The data and functions for the test's functions. */
export interface PuppetScope {
  channel: typeof channel;
  hosted: typeof hosted;
  /** The page's end, once opened. */
  end?: PageEnd;
  page?: hosted.HostedPage;
  /** The ports of a page that performs the handshake itself. */
  port?: MessagePort;
  connects: channel.ChannelInit[];
  disconnects: number;
  calls: { type: keyof ElementMessages; payload: object }[];
  rejections: Rejection[];
  /** Uncaught errors. */
  errors: string[];
  /** All window messages. */
  seen: unknown[];
  openEnd(this: void, origins: string[]): void;
}

const query = new URLSearchParams(location.search);
const embedder = (window.opener ?? window.top) as Window;

const scope: PuppetScope = {
  channel,
  hosted,
  connects: [],
  disconnects: 0,
  calls: [],
  rejections: [],
  errors: [],
  seen: [],
  openEnd(origins) {
    const record = (type: keyof ElementMessages, payload: object) => {
      scope.calls.push({ type, payload });
      return {};
    };
    scope.end = channel.openPageEnd({
      target: window.opener ? (window.opener as Window) : window.parent,
      origins,
      snapshot: { step: 'profile', index: 1, count: 6, dirty: false, states: [] },
      handlers: {
        configure: (payload) => record('configure', payload),
        confirmClose: (payload) => ({
          ...record('confirmClose', payload),
          dirty: true,
          savedAt: '2026-11-20T12:00:00.000Z',
        }),
        // Never answers, so a call stays in flight until it is ended.
        navigateBack: () => new Promise(() => undefined),
        session: ({ applicationUrl }) => {
          if (applicationUrl !== undefined) throw new Error('a text of the page that must not cross');
          return { answer: 'with a field too many' } as object;
        },
      },
      onConnect: (init) => scope.connects.push(init),
      onDisconnect: () => (scope.disconnects += 1),
      onRejected: (rejection) => scope.rejections.push(rejection),
    });
  },
};

window.addEventListener('error', ({ message }) => scope.errors.push(message));
window.addEventListener('unhandledrejection', ({ reason }) => scope.errors.push(String(reason)));
window.addEventListener('message', ({ data }) => scope.seen.push(data));

if (query.get('start') === 'page') scope.openEnd(query.getAll('allow'));

const control = new MessageChannel();
control.port1.onmessage = async ({ data }: MessageEvent<{ id: number; source: string; args: unknown[] }>) => {
  const perform = new Function(`return (${data.source})`)() as (scope: PuppetScope, ...args: unknown[]) => unknown;
  try {
    control.port1.postMessage({ id: data.id, result: await perform(scope, ...data.args) });
  } catch (error) {
    control.port1.postMessage({ id: data.id, error: String(error) });
  }
};
embedder.postMessage({ puppet: location.href }, '*', [control.port2]);
