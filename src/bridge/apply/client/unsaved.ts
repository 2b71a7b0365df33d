import { showNotice } from './expiry.js';
import { leadsOffThisPage } from './leading-off.js';

/**
 * Asks before a link leads off a page whose input was not sent: it would be gone, and an SSN or an answer has to be typed again. In the
 * page and not over it: a modal would stand in the middle of a frame that is as high as its content, out of the user's sight.
 */
export function askToLeave(): void {
  const question = document.querySelector<HTMLElement>('#leaving');
  const [stay, go] = question?.querySelectorAll('button') ?? [];
  if (!question || !stay || !go) return;
  // A rejected form is not saved either. A page without fields, such as a list, has nothing to lose.
  const hasFields = document.querySelector('main :is(input:not([type=hidden]), select, textarea)') !== null;
  let isDirty = hasFields && document.querySelector('.error-summary') !== null;
  let asked: HTMLAnchorElement | undefined;

  document.addEventListener('input', () => {
    isDirty = true;
  });
  document.addEventListener('submit', (event) => {
    // Back from the back/forward cache, what was sent is saved.
    if (!event.defaultPrevented) isDirty = false;
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!isDirty || event.defaultPrevented || !link || !leadsOffThisPage(event, link)) return;
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
    asked?.click();
  });
}

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

/** Lets a form go once. The server refuses a second submission too; this spares the user the doubt. */
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
      // Not `disabled`: that would drop the button's own value from the post and throw the focus away.
      button.setAttribute('aria-disabled', 'true');
      button.textContent = form.dataset['working'] ?? label;
      addEventListener(
        'pageshow',
        () => {
          // Back from the back/forward cache: the form may go again.
          isUnderWay = false;
          button.removeAttribute('aria-disabled');
          button.textContent = label;
        },
        { once: true },
      );
    });
  }
}
