import { mock } from 'node:test';
import { createWindows, type FakeWindow, replaceGlobals, settle } from '../channel/windows.js';

/** Storage whose entries are its own properties, as in a browser. */
class FakeStorage {
  [key: string]: unknown;
  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

/** Server-sent events under the test's control. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.all.push(this);
  }
  send(data: unknown): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.dispatchEvent(new MessageEvent('application', { data: text }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

/** The Web Locks of one site. Grants in the same turn, unlike a browser. */
class FakeLocks {
  readonly #waiting = new Set<() => void>();
  #isHeld = false;
  async request(_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
    if (this.#isHeld)
      await new Promise<void>((resolve, reject) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => {
          this.#waiting.delete(resolve);
          reject(signal.reason as Error);
        });
      });
    this.#isHeld = true;
    await hold();
    const [next] = this.#waiting;
    this.#isHeld = false;
    if (next) this.#waiting.delete(next);
    next?.();
  }
}

/** What the modules of the element use of a page, in Node. */
export interface FakePage {
  /** This page. */
  element: FakeWindow;
  /** The window of the hosted page. */
  hosted: FakeWindow;
  /** Hides or shows the page, with the event. */
  setHidden(hidden: boolean): void;
  /** The URL of this page; `history.replaceState` changes it. */
  location: { href: string; readonly pathname: string; readonly origin: string; assigned: string[] };
  /** The request of each call of `fetch`. */
  requests: { url: string; init: RequestInit }[];
  /** Answers the next requests. The last one repeats. */
  answerWith(...answers: (() => unknown)[]): void;
  setOnline(isOnline: boolean): void;
  /** Sets the protocol over which the page came. Default: `h2`. */
  setProtocol(protocol: string): void;
  storages: { sessionStorage: FakeStorage; localStorage: FakeStorage };
  restore(): void;
}

export const hostedOrigin = 'https://apply.example';

/** Makes a page of this process until `restore()`. With mock timers, from 2026-11-20 on. */
export function installPage(url = 'https://agency.example/apply.html'): FakePage {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  const { origin } = new URL(url);
  const { element, page: hosted } = createWindows(origin, hostedOrigin);
  const location = {
    href: url,
    origin,
    get pathname() {
      return new URL(location.href).pathname;
    },
    assigned: [] as string[],
    assign: (to: URL) => location.assigned.push(String(to)),
  };
  const storages = { sessionStorage: new FakeStorage(), localStorage: new FakeStorage() };
  const requests: FakePage['requests'] = [];
  let answers: (() => unknown)[] = [() => new Response('', { status: 503 })];
  const navigator = { onLine: true, userAgent: 'Node', language: 'en', locks: new FakeLocks() };
  let nextHopProtocol = 'h2';
  mock.method(performance, 'getEntriesByType', () => [{ nextHopProtocol }]);
  const document = {
    hidden: false,
    baseURI: url,
    activeElement: null,
    addEventListener: element.view.addEventListener,
    removeEventListener: element.view.removeEventListener,
  };
  const window = Object.assign(element.view, storages);
  Object.defineProperty(window, 'location', { value: location });
  mock.method(Math, 'random', () => 0.5);
  FakeEventSource.all = [];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(input), init });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.resolve(answer?.());
  };
  const history = {
    state: null,
    replaceState: (_state: unknown, _title: string, to: URL) => (location.href = String(to)),
  };
  const { addEventListener, removeEventListener } = window;
  const self = { origin };
  const restoreGlobals = replaceGlobals({
    ...{ window, document, location, history, navigator, fetch, addEventListener, removeEventListener, ...storages },
    ...{ self, top: self, crossOriginIsolated: false, HTMLElement: EventTarget },
    ...{ EventSource: FakeEventSource, getComputedStyle: () => ({ colorScheme: 'normal' }) },
  });
  return {
    element,
    hosted,
    setHidden(hidden) {
      document.hidden = hidden;
      element.emit('visibilitychange');
    },
    location,
    requests,
    answerWith(...next) {
      answers = next;
    },
    setOnline(isOnline) {
      navigator.onLine = isOnline;
    },
    setProtocol(protocol) {
      nextHopProtocol = protocol;
    },
    storages,
    restore() {
      restoreGlobals();
      mock.timers.reset();
      mock.restoreAll();
    },
  };
}

/** Advances the timers, and lets what they started end. */
export async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}
