import { leadsOffThisPage } from './leading-off.js';
import { showNotice } from './notice.js';

/**
 * Keeps a page whose form is sent, or whose link is followed, without a network: what was typed would be gone, and in its place would
 * stand the browser's own page, which has no way back in a frame.
 */
export function holdOffline(): void {
  for (const form of document.querySelectorAll('form')) {
    hold(form, 'submit', (event) => {
      form.requestSubmit(event.submitter);
    });
  }
  for (const link of document.querySelectorAll('a')) {
    hold(link, 'click', () => {
      link.click();
    });
  }
}

/** Holds what leads off the page until a server was reached that it may lead to. */
function hold<Kind extends 'submit' | 'click'>(
  element: HTMLElement,
  kind: Kind,
  goOn: (event: HTMLElementEventMap[Kind]) => void,
): void {
  let isReached = false;
  element.addEventListener(kind, (event) => {
    if (navigator.onLine || isReached || event.defaultPrevented) return;
    if (event instanceof MouseEvent && !leadsOffThisPage(event, element as HTMLAnchorElement)) return;
    event.preventDefault();
    void goOnIfReached(event);
  });

  async function goOnIfReached(event: HTMLElementEventMap[Kind]): Promise<void> {
    // A machine without a network still reaches itself, as whoever tries this out there finds.
    isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    if (isReached) goOn(event);
    else sayOffline();
    isReached = false;
  }
}

function sayOffline(): void {
  showNotice(document.body.dataset['offline']);
  // The button is at the end of the page and the notice at its beginning.
  document.querySelector('#notice')?.scrollIntoView({ block: 'center' });
  addEventListener(
    'online',
    () => {
      showNotice();
    },
    { once: true },
  );
}
