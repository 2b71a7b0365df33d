import { getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext, ConsoleServices } from './context.js';

/*
 * The filters of the filing queue, which an operator sets once for a day's work, such as one state.
 * They are kept for the way back from a filing and for the next one, in a cookie, because the pages
 * between are posts. They name no person.
 */

const cookie = 'filings';
const longest = 500;

/** Keeps the query of the queue until the browser is closed. */
export function keepFilters(c: ConsoleContext, { consoleUrl }: ConsoleServices, query: string): void {
  const isSecure = consoleUrl.startsWith('https:');
  setCookie(c, cookie, query, { httpOnly: true, sameSite: 'Strict', secure: isSecure, path: '/filings' });
}

/** The query that was kept, such as `?state=TX`; "" for none. */
export function keptFilters(c: ConsoleContext): string {
  const query = getCookie(c, cookie) ?? '';
  return query.length <= longest && /^\?[\w=&%.-]+$/.test(query) ? query : '';
}
