import type { LinkExpiry } from '../page-context.js';

/**
 * The maximum delay of a check after the computer slept. Also, browsers fire longer timers at once.
 */
const checkMs = 60_000;

/** The listeners that are notified of the expiry of a link. */
export interface ExpiryListener {
  /**
   * Reads from the server when the link expires; `undefined` when it has expired, or when the
   * server is unreachable.
   */
  ask(): Promise<LinkExpiry | undefined>;
  onSoon(seconds: number): void;
  onOver(): void;
}

/** The watch on the expiry of the link. */
export interface ExpiryWatch {
  /**
   * Watches the expiry of the link again, or of a link that replaces it. Changes nothing if that
   * one does not expire later.
   */
  restart(expiry: LinkExpiry): void;
}

interface Notice {
  beforeMs: number;
  say(leftMs: number): void;
}

/**
 * Warns the page and the element before the link expires, once more halfway, in case the first
 * message could not be delivered, and when it has expired.
 */
export function watchExpiry(expiry: LinkExpiry | undefined, listener: ExpiryListener): ExpiryWatch {
  let end = 0;
  /** The difference between the browser's clock and the server's. */
  let aheadMs = 0;
  let timer: number | undefined;
  /** The pending warnings. */
  let due: Notice[] = [];

  document.addEventListener('visibilitychange', check);
  if (expiry) start(expiry);

  function start({ now, expiresAt, warningMs }: LinkExpiry): void {
    aheadMs = Date.now() - Date.parse(now);
    end = Date.parse(expiresAt);
    due = [
      { beforeMs: warningMs, say: warn },
      { beforeMs: warningMs / 2, say: warn },
      { beforeMs: 0, say: notifyOver },
    ];
    check();
  }

  function check(): void {
    clearTimeout(timer);
    const leftMs = end - (Date.now() - aheadMs);
    const latest = due.findLast(({ beforeMs }) => leftMs <= beforeMs);
    due = due.filter(({ beforeMs }) => leftMs > beforeMs);
    if (latest) void notify(latest, leftMs);
    const [next] = due;
    if (next) timer = window.setTimeout(check, Math.min(leftMs - next.beforeMs, checkMs));
  }

  /**
   * The browser's clock may have been changed meanwhile, so the server confirms the expiry before a
   * warning is shown.
   */
  async function notify({ beforeMs, say }: Notice, leftMs: number): Promise<void> {
    const announcedEnd = end;
    const known = await listener.ask();
    if (end !== announcedEnd) return;
    if (known && Date.parse(known.expiresAt) - Date.parse(known.now) > beforeMs) start(known);
    else say(leftMs);
  }

  function warn(leftMs: number): void {
    showNotice(document.body.dataset['expiresSoon'] ?? '');
    listener.onSoon(Math.max(Math.ceil(leftMs / 1_000), 0));
  }

  function notifyOver(): void {
    showNotice(document.body.dataset['expired'] ?? '');
    listener.onOver();
  }

  return {
    restart(renewed) {
      // Each warning makes the element request a session: a repeated warning of the same expiry
      // would cause an endless loop.
      if (Date.parse(renewed.expiresAt) <= end) return;
      showNotice();
      start(renewed);
    },
  };
}

/** The part of a path that is the link; the rest is a page of the application. */
const linkPath = /^\/s\/[\w-]{43}(?=\/|$)/;

/** The timeout of the server, so that the user is warned while there is time. */
const deadlineMs = 10_000;

/**
 * Reads from the server when a link of the same application as this page expires; `undefined` for a
 * link of another application, or when the server is unreachable.
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
    // Offline, too slow, or a captive portal that answers instead of the server.
    return undefined;
  }
}

/**
 * Continues with another link of the same application without leaving the page, so that typed input
 * is kept: changes the forms, the links and the URL of the page. Resolves with the expiry of the
 * link; `undefined` when the page cannot continue with it.
 */
export async function continueWith(applicationUrl: string): Promise<LinkExpiry | undefined> {
  const expiry = await readExpiry(applicationUrl);
  const to = linkIn(applicationUrl);
  if (expiry === undefined || to === undefined) return undefined;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) link.href = withLink(link.href, to);
  for (const form of document.querySelectorAll('form')) form.action = withLink(form.action, to);
  const own = document.querySelector<HTMLAnchorElement>('#own-link');
  if (own) own.textContent = own.href;
  // Also the URL of a reload, and of this page in the history.
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

/** Shows and announces a notice above the page's content; without a text, removes it. */
export function showNotice(text = ''): void {
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = text;
  notice.hidden = text === '';
}
