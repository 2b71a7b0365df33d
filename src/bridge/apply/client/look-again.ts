/** A server that has not answered by then is asked again. */
const deadlineMs = 10_000;

/**
 * Asks every so often whether there is another page at this address, and goes there once there is. Until then nothing moves: a page that
 * reloads takes the focus away, and a screen reader starts over.
 */
export function lookAgain(seconds: number): void {
  setTimeout(() => void look(), seconds * 1_000);

  async function look(): Promise<void> {
    const text = await fetch(location.href, { signal: AbortSignal.timeout(deadlineMs) })
      .then((answer) => answer.text())
      .catch(() => '');
    const { title } = new DOMParser().parseFromString(text, 'text/html');
    // Without its fragment, if it has one: an address with one leads to a place on this page and loads nothing.
    if (title && title !== document.title) location.replace(location.pathname + location.search);
    else lookAgain(seconds);
  }
}
