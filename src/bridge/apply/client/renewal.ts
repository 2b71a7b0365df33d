import type { Ending } from '../ending.js';

/** The part of a path that is the link: what comes behind it is a page of the application. */
const linkPath = /^\/s\/[\w-]{43}(?=\/|$)/;

/** A server that has not answered by then is as good as none: the user is to be warned while there is time. */
const deadlineMs = 10_000;

/**
 * Asks the server when a link ends, and whether it is one of the same application as this page; `undefined` when it is not, or when
 * the server cannot be asked.
 */
export async function readEnding(applicationUrl: string): Promise<Ending | undefined> {
  const to = linkIn(applicationUrl);
  const from = linkIn(location.href)?.slice('/s/'.length);
  if (to === undefined || from === undefined) return undefined;
  const body = new URLSearchParams({ from });
  try {
    const answer = await fetch(`${to}/renewal`, { method: 'POST', body, signal: AbortSignal.timeout(deadlineMs) });
    return answer.ok ? (((await answer.json()) as Ending | null) ?? undefined) : undefined;
  } catch {
    // Offline, too slow, or a network that answers in the server's place with a page of its own.
    return undefined;
  }
}

/**
 * Goes on with another link of the same application without leaving the page, so that nothing is lost that is typed on it: its
 * forms, its links and its own address change. Resolves with when the link ends; `undefined` when it is not one to go on with.
 */
export async function goOnWith(applicationUrl: string): Promise<Ending | undefined> {
  const ending = await readEnding(applicationUrl);
  const to = linkIn(applicationUrl);
  if (ending === undefined || to === undefined) return undefined;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) link.href = withLink(link.href, to);
  for (const form of document.querySelectorAll('form')) form.action = withLink(form.action, to);
  // Also what a reload asks for, and what the history has when the user comes back to this page.
  history.replaceState(history.state, '', withLink(location.href, to));
  return ending;
}

function linkIn(href: string): string | undefined {
  const { origin, pathname } = new URL(href);
  return origin === location.origin ? linkPath.exec(pathname)?.[0] : undefined;
}

function withLink(href: string, to: string): string {
  const url = new URL(href);
  if (url.origin !== location.origin) return href;
  url.pathname = url.pathname.replace(linkPath, to);
  return url.href;
}
