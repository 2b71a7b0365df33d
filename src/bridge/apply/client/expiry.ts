import type { Ending } from '../ending.js';

/** The most that a check is late when the computer slept; also, longer timers would run out at once. */
const checkMs = 60_000;

/** The end of the link, as the page watches it. */
export interface ExpiryWatch {
  /** Begins anew: the link, or another one in its place, ends later. */
  restart(ending: Ending): void;
}

/**
 * Warns on the page, and whoever listens, before the link runs out, once more halfway, in case that the first time nobody could be
 * reached, and when it has.
 */
export function watchExpiry(
  ending: Ending | undefined,
  listener: { onSoon(seconds: number): void; onOver(): void },
): ExpiryWatch {
  let end = 0;
  /** By how much the browser's clock is ahead of the server's. */
  let aheadMs = 0;
  let timer: number | undefined;
  /** What is still to be said, and how long before the end. */
  let due: { beforeMs: number; say(leftMs: number): void }[] = [];

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
    const isDue = ({ beforeMs }: { beforeMs: number }) => leftMs <= beforeMs;
    const latest = due.findLast(isDue);
    due = due.filter((each) => !isDue(each));
    latest?.say(leftMs);
    const [next] = due;
    if (next) timer = window.setTimeout(check, Math.min(leftMs - next.beforeMs, checkMs));
  }

  function warn(leftMs: number): void {
    note(document.body.dataset['expiresSoon'] ?? '');
    listener.onSoon(Math.ceil(leftMs / 1_000));
  }

  function tellOver(): void {
    note(document.body.dataset['expired'] ?? '');
    listener.onOver();
  }

  return {
    restart(renewed) {
      note('');
      start(renewed);
    },
  };
}

function note(text: string): void {
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = text;
  notice.hidden = text === '';
}
