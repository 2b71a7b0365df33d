import type { Ending } from '../ending.js';

/** The part of a path that is the link: what comes behind it is a page of the application. */
const linkPath = /^\/s\/[\w-]{43}(?=\/|$)/;

/** Asks the server when a link ends, and whether it is one of the same application as this page; `undefined` when it is not. */
export async function readEnding(applicationUrl: string): Promise<Ending | undefined> {
  const to = linkIn(applicationUrl);
  const from = linkIn(location.href)?.slice('/s/'.length);
  if (to === undefined || from === undefined) return undefined;
  const body = new URLSearchParams({ from });
  const answer = await fetch(`${to}/renewal`, { method: 'POST', body }).catch(() => undefined);
  const ending = answer?.ok ? ((await answer.json()) as Ending | null) : null;
  return ending ?? undefined;
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
