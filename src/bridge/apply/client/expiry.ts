import type { Ending } from '../ending.js';
import { showNotice } from './notice.js';

/** The most that a check is late when the computer slept; also, longer timers would run out at once. */
const checkMs = 60_000;

/** Whom the end of a link concerns. */
export interface ExpiryListener {
  /** Asks the server when the link ends; `undefined` when it has ended, or when the server cannot be reached. */
  ask(): Promise<Ending | undefined>;
  onSoon(seconds: number): void;
  onOver(): void;
}

/** The end of the link, as the page watches it. */
export interface ExpiryWatch {
  /** Watches the end of the link again, or of another one in its place. Changes nothing if that one ends no later. */
  restart(ending: Ending): void;
}

interface Notice {
  beforeMs: number;
  say(leftMs: number): void;
}

/**
 * Warns on the page, and whoever listens, before the link runs out, once more halfway, in case that the first time nobody could be
 * reached, and when it has.
 */
export function watchExpiry(ending: Ending | undefined, listener: ExpiryListener): ExpiryWatch {
  let end = 0;
  /** By how much the browser's clock is ahead of the server's. */
  let aheadMs = 0;
  let timer: number | undefined;
  /** What is still to be said. */
  let due: Notice[] = [];

  document.addEventListener('visibilitychange', check);
  if (ending) start(ending);

  function start({ now, expiresAt, warningMs }: Ending): void {
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
      // Each warning makes the element ask for a session: warning again of the same end would go round for ever.
      if (Date.parse(renewed.expiresAt) <= end) return;
      showNotice();
      start(renewed);
    },
  };
}
