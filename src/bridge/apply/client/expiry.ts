const warningMs = 5 * 60_000;

/** Warns on the page, and whoever listens, before the link runs out and when it has. */
export function watchExpiry(
  expiresAt: string | undefined,
  listener: { onSoon(seconds: number): void; onOver(): void },
): { restart(expiresAt: string): void } {
  let timers: number[] = [];
  if (expiresAt) start(expiresAt);
  return {
    restart(renewed) {
      stop();
      note('');
      start(renewed);
    },
  };

  function start(end: string): void {
    const leftMs = new Date(end).getTime() - Date.now();
    timers = [
      window.setTimeout(warn, Math.max(leftMs - warningMs, 0), end),
      window.setTimeout(tellOver, Math.max(leftMs, 0)),
    ];
  }

  function stop(): void {
    for (const timer of timers) clearTimeout(timer);
  }

  function warn(end: string): void {
    const seconds = Math.floor((new Date(end).getTime() - Date.now()) / 1_000);
    if (seconds <= 0) return;
    note(document.body.dataset['expiresSoon'] ?? '');
    listener.onSoon(seconds);
  }

  function tellOver(): void {
    note(document.body.dataset['expired'] ?? '');
    listener.onOver();
  }
}

function note(text: string): void {
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = text;
  notice.hidden = text === '';
}
