import type { PartnerSession, ReturnStatus } from '../../contract/index.js';
import { isReturnStatus } from './return-listener.js';
import { traceKey, wasAway } from './return-trace.js';

/**
 * What is kept while the user is away in redirect mode. Nothing that opens the application: its address is a capability, and
 * what is stored here outlives the visit.
 */
export interface Away extends Pick<PartnerSession, 'applicationId' | 'statusUrl' | 'eventsUrl'> {
  /** The `id` of the element, so that of several each finds its own. */
  element: string;
  /** The one-time value that the return must carry; absent when nobody knows it. */
  state?: string | undefined;
}

// This tab's own for Back, and the site's for a return in another tab, as on phones after a detour through an app.
const storages = ['sessionStorage', 'localStorage'] as const;

/** Keeps what is needed to know the user again. */
export function keepAway(away: Away): void {
  for (const storage of storages) attempt(() => window[storage].setItem(traceKey, JSON.stringify(away)));
}

/**
 * Finds what was kept for an element. With `status` if this page is the return that was waited for: its address then loses
 * `status` and `state`, and what was kept is forgotten, so that it counts once. Without, the user came by the Back button.
 */
export function findAway(element: string): { away: Away; status?: ReturnStatus } | undefined {
  if (!wasAway()) return undefined;
  const url = new URL(location.href);
  const { searchParams: query } = url;
  // The last: what the partner's own address had of these names stands before what was added.
  const [status = '', state = ''] = ['status', 'state'].map((name) => query.getAll(name).pop());
  const [here, elsewhere] = storages.map((storage) =>
    attempt(() => JSON.parse(window[storage].getItem(traceKey) ?? '{}') as Partial<Away>),
  );
  const isOurs = (away: Partial<Away> | undefined): away is Away => away?.element === element;
  const awaited = [here, elsewhere].find((away) => isOurs(away) && away.state && away.state === state);
  if (!isOurs(awaited) || !isReturnStatus(status)) return isOurs(here) ? { away: here } : undefined;
  for (const storage of storages)
    attempt(() => {
      window[storage].removeItem(traceKey);
    });
  query.delete('status', status);
  query.delete('state', state);
  history.replaceState(history.state, '', url);
  return { away: awaited, status };
}

/** Storage may be full or forbidden: a return then proves nothing, and the server has the last word anyway. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
