import { waitUntil } from '@open-wc/testing';
import {
  openElementEnd,
  type ChannelInit,
  type ElementEnd,
  type PageMessages,
  type Rejection,
} from '../../src/channel/index.js';
import type { PuppetScope } from './pages/puppet.js';

const { port } = window.location;

/** The origins of the test server. The page of the test itself is `http://localhost:{port}`. */
export const origins = {
  own: window.location.origin,
  /** Another site, like the hosted application. */
  application: `http://127.0.0.1:${port}`,
  attacker: `http://attacker.localhost:${port}`,
};

/** The timeout of a test. A new process for a frame is slow on a busy machine. */
export const patienceMs = 20_000;

/** Waits until a condition is true. */
export function until(predicate: () => unknown, what: string): Promise<void> {
  return waitUntil(predicate, what, { timeout: patienceMs / 2, interval: 20 });
}

/** A page of another origin that the test controls. */
export interface Puppet {
  /** Runs a function in the page. The function has its arguments and no variables of the test. */
  run<Result, Args extends unknown[]>(
    perform: (scope: PuppetScope, ...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
}

const arrived = new Map<MessageEventSource, Puppet[]>();

// Registered before any end of the channel, because the puppets' control ports are not part of the
// test.
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const { data, source, ports } = event;
  if (typeof data !== 'object' || data === null || !('puppet' in data) || !source || !ports[0]) return;
  event.stopImmediatePropagation();
  arrived.set(source, [...(arrived.get(source) ?? []), createPuppet(ports[0])]);
});

function createPuppet(control: MessagePort): Puppet {
  const waiting = new Map<number, (answer: { result?: unknown; error?: string }) => void>();
  let lastId = 0;
  control.onmessage = ({ data }: MessageEvent<{ id: number; result?: unknown; error?: string }>) => {
    waiting.get(data.id)?.(data);
  };
  return {
    run: (perform, ...args) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, ({ result, error }) => {
          if (error === undefined) resolve(result as Awaited<ReturnType<typeof perform>>);
          else reject(new Error(error));
        });
        control.postMessage({ id, source: perform.toString(), args });
      }),
  };
}

/** The puppet of the `count`th document of a window. */
export async function puppetOf(view: Window, count = 1): Promise<Puppet> {
  await until(() => arrived.get(view)?.[count - 1], `document ${count} arrived`);
  return arrived.get(view)![count - 1]!;
}

/** The URL of a puppet. With `allow`, it opens its end of the channel itself. */
export function puppetUrl(origin: string, allow?: string[]): string {
  const query = new URLSearchParams(allow && { start: 'page' });
  for (const one of allow ?? []) query.append('allow', one);
  return `${origin}/test/channel/pages/puppet.html?${query.toString()}`;
}

/** Adds a frame to the page of the test. */
export function addFrame(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = url;
  document.body.append(frame);
  return frame;
}

/** The observable results of a test. */
export interface Stage {
  end: ElementEnd;
  init: ChannelInit;
  connects: { protocolVersion: number; doc: string }[];
  messages: { type: keyof PageMessages; payload: object }[];
  rejections: Rejection[];
  /** Uncaught errors on the page of the test. */
  errors: string[];
}

const cleanups: (() => void)[] = [];

/** Opens an element's end that records everything. {@link cleanUp} closes it. */
export function openStage(target: () => Window | null, origin = origins.application): Stage {
  const init: ChannelInit = { channel: crypto.randomUUID(), mode: 'modal', locale: 'en-US', theme: 'dark' };
  const stage: Omit<Stage, 'end'> = {
    init,
    connects: [],
    messages: [],
    rejections: [],
    errors: [],
  };
  const onError = ({ message }: ErrorEvent) => stage.errors.push(message);
  const onRejection = ({ reason }: PromiseRejectionEvent) => stage.errors.push(String(reason));
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  const end = openElementEnd({
    target,
    origin,
    init,
    onConnect: (info) => stage.connects.push(info),
    onMessage: (type, payload) => stage.messages.push({ type, payload }),
    onRejected: (rejection) => stage.rejections.push(rejection),
  });
  cleanups.push(() => {
    end.close();
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  });
  return { ...stage, end };
}

/** A frame of the application and the element's end for it, connected. */
export async function connectedStage(): Promise<Stage & { frame: HTMLIFrameElement; view: Window; page: Puppet }> {
  const frame = addFrame(puppetUrl(origins.application, [origins.own]));
  const stage = openStage(() => frame.contentWindow);
  const page = await puppetOf(frame.contentWindow!);
  await until(() => stage.messages.some(({ type }) => type === 'ready'), 'the page is ready');
  return { ...stage, frame, view: frame.contentWindow!, page };
}

/**
 * Removes everything that {@link openStage} and {@link addFrame} created, and asserts that nothing
 * was thrown.
 */
export function cleanUp(): void {
  for (const close of cleanups.splice(0)) close();
  for (const frame of document.querySelectorAll('iframe')) frame.remove();
}
