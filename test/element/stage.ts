import { fixture, html, waitUntil as openWcWaitUntil } from '@open-wc/testing';
import type { PartnerSession, PartnerSessionRequest } from '../../src/contract/index.js';
import '../../src/element/define.js';
import type { LicensingApply, LicensingApplyEventMap, SessionRequest } from '../../src/element/index.js';
import { eventNames } from '../../src/testing/recorded-events.js';

/** The hosted application's origin: another site than the page's `localhost`. */
export const hostedOrigin = `http://127.0.0.1:${location.port}`;

/** The URL of a fixture on the hosted origin. */
export function hosted(name = 'hosted.html'): string {
  return new URL(`./fixtures/${name}`, import.meta.url).href.replace(location.origin, hostedOrigin);
}

/**
 * Waits until a condition is true, longer than the second of Open WC: each frame of another site
 * starts a process, which is slow on a busy machine.
 */
export function waitUntil(predicate: () => unknown, what?: string): Promise<void> {
  return openWcWaitUntil(predicate, what, { timeout: 10_000 });
}

/** The fixture of an element. */
export interface Stage {
  element: LicensingApply;
  /** The events in order, with their data. */
  events: { type: string; event: Event }[];
  /** Each request for a session. */
  requests: PartnerSessionRequest[];
}

/** Adds an element whose sessions come from a provider to the page. */
export async function setup({
  session = {},
  template = html`<licensing-apply></licensing-apply>`,
}: { session?: Partial<PartnerSession>; template?: ReturnType<typeof html> } = {}): Promise<Stage> {
  const element = await fixture<LicensingApply>(template);
  const stage: Stage = { element, events: record(element), requests: [] };
  element.sessionProvider = ({ signal: _signal, ...request }: SessionRequest) => {
    stage.requests.push(request);
    return { applicationUrl: hosted(), applicationId: 'app_1', ...session };
  };
  return stage;
}

/** Records the events of an element. */
export function record(element: LicensingApply): Stage['events'] {
  const events: Stage['events'] = [];
  for (const type of eventNames) element.addEventListener(type, (event) => events.push({ type, event }));
  return events;
}

/** The events of one type that were recorded. */
export function ofType<Type extends keyof LicensingApplyEventMap>(
  stage: Stage,
  type: Type,
): LicensingApplyEventMap[Type][] {
  return stage.events.filter((entry) => entry.type === type).map(({ event }) => event as LicensingApplyEventMap[Type]);
}

/** The next event of one type. */
export function nextEvent<Type extends keyof LicensingApplyEventMap>(
  { element }: Pick<Stage, 'element'>,
  type: Type,
): Promise<LicensingApplyEventMap[Type]> {
  return new Promise((resolve) => {
    element.addEventListener(type, resolve, { once: true });
  });
}

/** The focused element inside the shadow tree. */
export function focused({ element }: Stage): Element | null {
  return element.shadowRoot?.activeElement ?? null;
}

/** Opens the application and waits until its page is connected. */
export async function opened(stage: Stage): Promise<void> {
  const ready = nextEvent(stage, 'licensing-ready');
  await stage.element.show();
  await ready;
}

/** The part of an element's shadow tree that `selector` finds. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as querySelector itself
export function part<Found extends Element = HTMLElement>({ element }: Stage, selector: string): Found {
  const found = element.renderRoot.querySelector<Found>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

/** Whether there is such a part. */
export function has({ element }: Stage, selector: string): boolean {
  return element.renderRoot.querySelector(selector) !== null;
}

/** Presses the button for a new window. Returns the arguments with which the window is opened. */
export function openedWindow(stage: Stage): unknown[] {
  const { open } = window;
  let opened: unknown[] = [];
  window.open = (url, ...others) => {
    opened = [String(url), ...others];
    return null;
  };
  part(stage, '.window').click();
  window.open = open;
  return opened;
}

/** Has the hosted page in the frame run an action. */
export function command(stage: Stage, call: string, ...args: unknown[]): void {
  part<HTMLIFrameElement>(stage, 'iframe').contentWindow?.postMessage({ call, args }, hostedOrigin);
}

/** Has the hosted page report unsaved input, and waits until the element has received it. */
export async function makeDirty(stage: Stage, changes: Record<string, unknown> = {}): Promise<void> {
  command(stage, 'update', { dirty: true, ...changes });
  await waitUntil(() => stage.element.snapshot.dirty, 'unsaved input');
}

/** Waits until an element is in a state. */
export async function inState({ element }: Stage, state: LicensingApply['state']): Promise<void> {
  await waitUntil(() => element.state === state, `state ${state}`);
  await element.updateComplete;
}

/** The visible text. */
export function textOf(node: Element): string {
  return node.textContent.replace(/\s+/g, ' ').trim();
}

const cleanups: (() => void)[] = [];

/** Runs `cleanup` when the test has ended. */
export function addCleanup(cleanup: () => void): void {
  cleanups.push(cleanup);
}

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});
