/** The timeout of a request; the next one follows. */
const deadlineMs = 10_000;

/**
 * Polls this URL and loads it when its page has changed. The page does not reload before that,
 * because a reload moves the focus, and a screen reader starts over.
 */
export function reloadWhenChanged(seconds: number): void {
  setTimeout(() => void poll(), seconds * 1_000);

  async function poll(): Promise<void> {
    const text = await fetch(location.href, { signal: AbortSignal.timeout(deadlineMs) })
      .then((answer) => answer.text())
      .catch(() => '');
    const { title } = new DOMParser().parseFromString(text, 'text/html');
    // Without the fragment: a URL with a fragment only scrolls on this page and loads nothing.
    if (title && title !== document.title) location.replace(location.pathname + location.search);
    else reloadWhenChanged(seconds);
  }
}
