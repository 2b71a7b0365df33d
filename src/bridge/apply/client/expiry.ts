import type { LinkExpiry } from '../page-context.js';

/** The most that a check is late when the computer slept; also, longer timers would run out at once. */
const checkMs = 60_000;

/** The listeners that are notified of the expiry of a link. */
export interface ExpiryListener {
  /** Asks the server when the link expires; `undefined` when it has expired, or when the server cannot be reached. */
  ask(): Promise<LinkExpiry | undefined>;
  onSoon(seconds: number): void;
  onOver(): void;
}

/** The expiry of the link, as the page watches it. */
export interface ExpiryWatch {
  /** Watches the expiry of the link again, or of another one in its place. Changes nothing if that one expires no later. */
  restart(expiry: LinkExpiry): void;
}

interface Notice {
  beforeMs: number;
  say(leftMs: number): void;
}

/**
 * Warns the page and the element before the link expires, once more halfway, in case the first message could not be
 * delivered, and when it has expired.
 */
export function watchExpiry(expiry: LinkExpiry | undefined, listener: ExpiryListener): ExpiryWatch {
  let end = 0;
  /** By how much the browser's clock is ahead of the server's. */
  let aheadMs = 0;
  let timer: number | undefined;
  /** What is still to be said. */
  let due: Notice[] = [];

  document.addEventListener('visibilitychange', check);
  if (expiry) start(expiry);

  function start({ now, expiresAt, warningMs }: LinkExpiry): void {
    aheadMs = Date.now() - Date.parse(now);
    end = Date.parse(expiresAt);
    due = [
      { beforeMs: warningMs, say: warn },
      { beforeMs: warningMs / 2, say: warn },
      { beforeMs: 0, say: tellOver },
    ];
    check();
  }

  function check(): void {
    clearTimeout(timer);
    const leftMs = end - (Date.now() - aheadMs);
    const latest = due.findLast(({ beforeMs }) => leftMs <= beforeMs);
    due = due.filter(({ beforeMs }) => leftMs > beforeMs);
    if (latest) void tell(latest, leftMs);
    const [next] = due;
    if (next) timer = window.setTimeout(check, Math.min(leftMs - next.beforeMs, checkMs));
  }

  /** A browser's clock may be set in between: before anybody is alarmed, the server says whether it is so. */
  async function tell({ beforeMs, say }: Notice, leftMs: number): Promise<void> {
    const told = end;
    const known = await listener.ask();
    if (end !== told) return;
    if (known && Date.parse(known.expiresAt) - Date.parse(known.now) > beforeMs) start(known);
    else say(leftMs);
  }

  function warn(leftMs: number): void {
    showNotice(document.body.dataset['expiresSoon'] ?? '');
    listener.onSoon(Math.max(Math.ceil(leftMs / 1_000), 0));
  }

  function tellOver(): void {
    showNotice(document.body.dataset['expired'] ?? '');
    listener.onOver();
  }

  return {
    restart(renewed) {
      // Each warning makes the element ask for a session: warning again of the same expiry would go round for ever.
      if (Date.parse(renewed.expiresAt) <= end) return;
      showNotice();
      start(renewed);
    },
  };
}

/** The part of a path that is the link: what comes behind it is a page of the application. */
const linkPath = /^\/s\/[\w-]{43}(?=\/|$)/;

/** A server that has not answered by then is as good as none: the user is to be warned while there is time. */
const deadlineMs = 10_000;

/**
 * Asks the server when a link expires, and whether it is one of the same application as this page; `undefined` when it is not, or when
 * the server cannot be asked.
 */
export async function readExpiry(applicationUrl: string): Promise<LinkExpiry | undefined> {
  const to = linkIn(applicationUrl);
  const from = linkIn(location.href)?.slice('/s/'.length);
  if (to === undefined || from === undefined) return undefined;
  const body = new URLSearchParams({ from });
  try {
    const answer = await fetch(`${to}/renewal`, { method: 'POST', body, signal: AbortSignal.timeout(deadlineMs) });
    return answer.ok ? (((await answer.json()) as LinkExpiry | null) ?? undefined) : undefined;
  } catch {
    // Offline, too slow, or a network that answers in the server's place with a page of its own.
    return undefined;
  }
}

/**
 * Continues with another link of the same application without leaving the page, so that nothing is lost that is typed on it: its
 * forms, its links and its own address change. Resolves with its expiry; `undefined` when the page cannot continue with it.
 */
export async function continueWith(applicationUrl: string): Promise<LinkExpiry | undefined> {
  const expiry = await readExpiry(applicationUrl);
  const to = linkIn(applicationUrl);
  if (expiry === undefined || to === undefined) return undefined;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) link.href = withLink(link.href, to);
  for (const form of document.querySelectorAll('form')) form.action = withLink(form.action, to);
  const own = document.querySelector<HTMLAnchorElement>('#own-link');
  if (own) own.textContent = own.href;
  // Also what a reload asks for, and what the history has when the user comes back to this page.
  history.replaceState(history.state, '', withLink(location.href, to));
  return expiry;
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

/** Says something above the page's content, also to whoever has it read to them; without a text, nothing is there. */
export function showNotice(text = ''): void {
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = text;
  notice.hidden = text === '';
}
