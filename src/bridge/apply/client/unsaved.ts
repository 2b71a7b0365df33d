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
 * Keeps the page when a form is sent while the server does not answer, or a link is followed without a
 * network: otherwise the input would be lost, and the browser's error page, which has no way back in
 * a frame, would replace the page.
 */
export function keepPageUntilReached(): void {
  for (const form of document.querySelectorAll('form')) {
    delayUntilReached(form, 'submit', {
      // A processor's script in the form sends it by itself, once.
      isNeeded: () => !navigator.onLine || form.querySelector('script') === null,
      resume(event) {
        form.requestSubmit(event.submitter);
      },
    });
  }
  for (const link of document.querySelectorAll('a')) {
    delayUntilReached(link, 'click', {
      isNeeded: (event) => !navigator.onLine && leavesPage(event, link),
      resume() {
        link.click();
      },
    });
  }
}

interface Delayed<SomeEvent> {
  isNeeded(event: SomeEvent): boolean;
  resume(event: SomeEvent): void;
}

/** The timeout of the server's answer. */
const answerTimeoutMs = 10_000;

/** Delays a navigation until its server was reached. */
function delayUntilReached<Kind extends 'submit' | 'click'>(
  element: HTMLElement,
  kind: Kind,
  { isNeeded, resume }: Delayed<HTMLElementEventMap[Kind]>,
): void {
  let isAsking = false;
  let isReached = false;
  element.addEventListener(kind, (event) => {
    if (isReached || event.defaultPrevented || !isNeeded(event)) return;
    event.preventDefault();
    // A second click while the first waits for the answer.
    if (!isAsking) void continueIfReached(event);
  });

  async function continueIfReached(event: HTMLElementEventMap[Kind]): Promise<void> {
    isAsking = true;
    // A machine without a network still reaches loopback, for example while trying the demo.
    isReached = await fetch(location.href, {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).then(
      // A proxy answers in place of a server that is gone.
      ({ status }) => status < 500,
      () => false,
    );
    isAsking = false;
    if (isReached) resume(event);
    else showUnreached();
    isReached = false;
  }
}

function showUnreached(): void {
  const { offline, unreachable } = document.body.dataset;
  showNotice(navigator.onLine ? unreachable : offline);
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
