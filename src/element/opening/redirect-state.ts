import type { PartnerSession, ReturnStatus } from '../../contract/index.js';
import { siteKey, tabKey } from './redirect-hint.js';

/**
 * The stored state while the user is away in redirect mode. Never the link of the application: it
 * is a capability, and the storage outlives the visit.
 */
export interface RedirectState extends Pick<PartnerSession, 'applicationId' | 'statusUrl' | 'eventsUrl'> {
  /** The `id` of the element, because a page can have several. */
  element: string;
  /** The path of the page that the redirect left. */
  page: string;
  /** The one-time value that the return must carry; absent if the session has none. */
  returnNonce?: string | undefined;
  /** When this stops being valid, in milliseconds since 1970. */
  expiresAt: number;
  /** Whether `licensing-complete` was dispatched for the session. */
  isCompleted?: boolean;
}

/** The part of the element that a redirect uses. */
export interface RedirectHost {
  id: string;
  applicationId: string;
}

const ttlMs = 24 * 60 * 60 * 1000;
const returnStatuses: readonly unknown[] = ['submitted', 'cancelled', 'expired'] satisfies ReturnStatus[];

/** Whether a value is one of the statuses that a return can have. */
export function isReturnStatus(value: unknown): value is ReturnStatus {
  return returnStatuses.includes(value);
}

/**
 * Saves the state in two places: in this tab for the Back button, and for the site under its
 * one-time value for a return in another tab, as on phones that open the browser from an app.
 */
export function saveRedirectState(state: Omit<RedirectState, 'page' | 'expiresAt'>): void {
  write({ ...state, page: location.pathname, expiresAt: Date.now() + ttlMs });
}

/**
 * Records that `licensing-complete` was dispatched, so that a reload does not dispatch it again.
 */
export function completeRedirectState(host: RedirectHost, applicationId: string): void {
  const state = read('sessionStorage', tabKey(host.id));
  if (state?.applicationId === applicationId) write({ ...state, isCompleted: true });
}

/**
 * Returns the saved state of an element, with `status` if this page is the return that the state
 * waits for. The URL then loses `status` and `state`, and the state is removed, so that it counts
 * once. Without `status`, the user came back by the Back button or reloaded the page.
 */
export function restoreRedirectState(host: RedirectHost): { state: RedirectState; status?: ReturnStatus } | undefined {
  const returned = findReturn(host);
  if (!returned) {
    const state = findVisit(host);
    return state && { state };
  }
  const { state, status, url } = returned;
  attempt(() => {
    localStorage.removeItem(siteKey(state.returnNonce));
  });
  // This tab keeps it, for the status after a reload.
  attempt(() => {
    sessionStorage.setItem(tabKey(state.element), JSON.stringify({ ...state, page: location.pathname }));
  });
  history.replaceState(history.state, '', url);
  return { state, status };
}

/** The state of this tab, for the replaced page. */
function findVisit(host: RedirectHost): RedirectState | undefined {
  const state = read('sessionStorage', tabKey(host.id));
  return state && state.page === location.pathname && belongsTo(state, host) ? state : undefined;
}

/** The state whose return this page is, proven by the query of its URL. */
function findReturn(host: RedirectHost): { state: RedirectState; status: ReturnStatus; url: URL } | undefined {
  const url = new URL(location.href);
  const { searchParams: query } = url;
  // The last ones: the partner's own parameters of these names come before those that were added.
  const [status, nonce] = ['status', 'state'].map((name) => query.getAll(name).at(-1));
  if (!nonce || !isReturnStatus(status)) return undefined;
  const inTab = read('sessionStorage', tabKey(host.id));
  const state = inTab?.returnNonce === nonce ? inTab : read('localStorage', siteKey(nonce));
  if (state?.returnNonce !== nonce || state.isCompleted || !belongsTo(state, host)) return undefined;
  query.delete('status', status);
  query.delete('state', nonce);
  return { state, status, url };
}

function belongsTo({ element, applicationId }: RedirectState, host: RedirectHost): boolean {
  // An element that names another application must never show this one.
  return element === host.id && (!host.applicationId || !applicationId || host.applicationId === applicationId);
}

function write(state: RedirectState): void {
  const text = JSON.stringify(state);
  attempt(() => {
    sessionStorage.setItem(tabKey(state.element), text);
  });
  if (!state.returnNonce || state.isCompleted) return;
  removeExpired();
  attempt(() => {
    localStorage.setItem(siteKey(state.returnNonce), text);
  });
}

function removeExpired(): void {
  const keys = attempt(() => Object.keys(localStorage)) ?? [];
  for (const key of keys)
    if (key.startsWith(siteKey()) && !read('localStorage', key)) {
      attempt(() => {
        localStorage.removeItem(key);
      });
    }
}

function read(storage: 'sessionStorage' | 'localStorage', key: string): RedirectState | undefined {
  const state = attempt(() => JSON.parse(window[storage].getItem(key) ?? 'null') as RedirectState | null);
  return state && state.expiresAt > Date.now() ? state : undefined;
}

/** Storage may be full or forbidden. A return then proves nothing, and the server decides. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
