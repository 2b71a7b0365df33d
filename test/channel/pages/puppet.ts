/*
 * A page of another origin that the test controls: it sends a control port to the test and runs the
 * functions that it receives on it. With `?start=page&allow=ORIGIN` it also opens its end of the
 * channel, like a hosted page.
 */
import {
  type ChannelInit,
  type ElementMessages,
  openPageEnd,
  type PageEnd,
  type Rejection,
} from '../../../src/channel/index.js';
import * as hosted from '../../../src/hosted/index.js';

/** The data and functions for the test's functions. */
export interface PuppetScope {
  hosted: typeof hosted;
  /** The page's end, once opened. */
  end?: PageEnd;
  page?: hosted.HostedPage;
  connects: ChannelInit[];
  calls: { type: keyof ElementMessages; payload: object }[];
  rejections: Rejection[];
  /** Uncaught errors. */
  errors: string[];
  /** All window messages. */
  seen: unknown[];
}

const query = new URLSearchParams(location.search);
const embedder = (window.opener ?? window.top) as Window;

const scope: PuppetScope = {
  hosted,
  connects: [],
  calls: [],
  rejections: [],
  errors: [],
  seen: [],
};

window.addEventListener('error', ({ message }) => scope.errors.push(message));
window.addEventListener('unhandledrejection', ({ reason }) => scope.errors.push(String(reason)));
window.addEventListener('message', ({ data }) => scope.seen.push(data));

if (query.get('start') === 'page') openEnd(query.getAll('allow'));

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

function openEnd(origins: string[]): void {
  scope.end = openPageEnd({
    target: window.opener ? (window.opener as Window) : window.parent,
    origins,
    snapshot: { step: 'profile', index: 1, count: 6, dirty: false, states: [] },
    handlers: {
      configure: () => ({}),
      confirmClose: () => ({ dirty: true, savedAt: '2026-11-20T12:00:00.000Z' }),
      // Never answers, so a call stays in flight until it is ended.
      navigateBack: () => new Promise(() => undefined),
      session: () => ({}),
    },
    onConnect: (init) => scope.connects.push(init),
    onRejected: (rejection) => scope.rejections.push(rejection),
  });
}
