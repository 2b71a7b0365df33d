/** The timeout of a request; the next one follows. */
const deadlineMs = 10_000;

/**
 * Polls this URL and loads it when its page has changed. The page does not reload before that,
 * because a reload moves the focus, and a screen reader starts over.
 */
export function lookAgain(seconds: number): void {
  setTimeout(() => void look(), seconds * 1_000);

  async function look(): Promise<void> {
    const text = await fetch(location.href, { signal: AbortSignal.timeout(deadlineMs) })
      .then((answer) => answer.text())
      .catch(() => '');
    const { title } = new DOMParser().parseFromString(text, 'text/html');
    // Without the fragment: a URL with a fragment only scrolls on this page and loads nothing.
    if (title && title !== document.title) location.replace(location.pathname + location.search);
    else lookAgain(seconds);
  }
}
