import { showNotice } from './notice.js';

/**
 * Keeps a form that is sent without a network: what was typed would be gone, and in its place would stand the browser's own page,
 * which has no way back in a frame.
 */
export function holdOffline(): void {
  for (const form of document.querySelectorAll('form')) {
    let isReached = false;
    form.addEventListener('submit', (event) => {
      if (navigator.onLine || isReached || event.defaultPrevented) return;
      event.preventDefault();
      void sendIfReached(event.submitter);
    });

    async function sendIfReached(submitter: HTMLElement | null): Promise<void> {
      // A machine without a network still reaches itself, as whoever tries this out there finds.
      isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
        () => true,
        () => false,
      );
      if (isReached) form.requestSubmit(submitter);
      else sayOffline();
      isReached = false;
    }
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
