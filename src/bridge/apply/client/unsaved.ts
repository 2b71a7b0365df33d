import { showNotice } from './expiry.js';

/**
 * Asks before a link leaves a page with unsent input, which would be lost: an SSN or an answer
 * would have to be typed again. The question is inside the page, because a modal would be in the
 * middle of a frame that is as high as its content, outside the visible part. `onLeave` is called when
 * the user leaves the input.
 */
export function askToLeave(onLeave: () => void): void {
  const question = document.querySelector<HTMLElement>('#leaving');
  const [stay, go] = question?.querySelectorAll('button') ?? [];
  if (!question || !stay || !go) return;
  // A rejected form is not saved either. A page without fields, such as a list, has no input.
  const hasFields = document.querySelector('main :is(input:not([type=hidden]), select, textarea)') !== null;
  let isDirty = hasFields && document.querySelector('.error-summary') !== null;
  let asked: HTMLAnchorElement | undefined;

  document.addEventListener('input', () => {
    isDirty = true;
  });
  document.addEventListener('submit', (event) => {
    // After a return from the back/forward cache, the sent input is saved.
    if (!event.defaultPrevented) isDirty = false;
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!isDirty || event.defaultPrevented || !link || !leavesPage(event, link)) return;
    event.preventDefault();
    asked = link;
    question.hidden = false;
    question.scrollIntoView({ block: 'center' });
    stay.focus({ preventScroll: true });
  });
  stay.addEventListener('click', () => {
    question.hidden = true;
    asked?.focus();
  });
  go.addEventListener('click', () => {
    isDirty = false;
    question.hidden = true;
    // Otherwise the browser would ask again.
    onLeave();
    asked?.click();
  });
}

/**
 * Keeps the page when a form is sent, or a link is followed, without a network: otherwise the input
 * would be lost, and the browser's error page, which has no way back in a frame, would replace the
 * page.
 */
export function keepPageOffline(): void {
  for (const form of document.querySelectorAll('form')) {
    delayUntilReached(form, 'submit', (event) => {
      form.requestSubmit(event.submitter);
    });
  }
  for (const link of document.querySelectorAll('a')) {
    delayUntilReached(link, 'click', () => {
      link.click();
    });
  }
}

/** Delays a navigation until its server was reached. */
function delayUntilReached<Kind extends 'submit' | 'click'>(
  element: HTMLElement,
  kind: Kind,
  resume: (event: HTMLElementEventMap[Kind]) => void,
): void {
  let isReached = false;
  element.addEventListener(kind, (event) => {
    if (navigator.onLine || isReached || event.defaultPrevented) return;
    if (event instanceof MouseEvent && !leavesPage(event, element as HTMLAnchorElement)) return;
    event.preventDefault();
    void continueIfReached(event);
  });

  async function continueIfReached(event: HTMLElementEventMap[Kind]): Promise<void> {
    // A machine without a network still reaches loopback, for example while trying the demo.
    isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    if (isReached) resume(event);
    else showOffline();
    isReached = false;
  }
}

function showOffline(): void {
  showNotice(document.body.dataset['offline']);
  // The button is at the end of the page, and the notice at its start.
  document.querySelector('#notice')?.scrollIntoView({ block: 'center' });
  addEventListener(
    'online',
    () => {
      showNotice();
    },
    { once: true },
  );
}

/**
 * Allows one submission of a form. The server also rejects a second one; this avoids a confusing
 * error.
 */
export function submitOnce(): void {
  for (const form of document.querySelectorAll('form')) {
    let isUnderWay = false;
    form.addEventListener('submit', (event) => {
      if (event.defaultPrevented) return;
      if (isUnderWay) {
        event.preventDefault();
        return;
      }
      isUnderWay = true;
      const button =
        event.submitter instanceof HTMLButtonElement
          ? event.submitter
          : form.querySelector<HTMLButtonElement>('button[type="submit"]');
      if (!button) return;
      const label = button.textContent;
      // Not `disabled`: it would remove the button's value from the post and lose the focus.
      button.setAttribute('aria-disabled', 'true');
      button.textContent = form.dataset['working'] ?? label;
      addEventListener(
        'pageshow',
        () => {
          // After a return from the back/forward cache the form can be sent again.
          isUnderWay = false;
          button.removeAttribute('aria-disabled');
          button.textContent = label;
        },
        { once: true },
      );
    });
  }
}

/**
 * Whether a click leads to another page of the application: not to an anchor of this page, another
 * window, or another site.
 */
function leavesPage(event: MouseEvent, { origin, pathname, hash, target }: HTMLAnchorElement): boolean {
  const isOnThisPage = hash !== '' && pathname === location.pathname;
  const isElsewhere = target !== '' || event.ctrlKey || event.metaKey || event.shiftKey;
  return origin === location.origin && !isOnThisPage && !isElsewhere;
}
