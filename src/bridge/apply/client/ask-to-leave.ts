import { leadsOffThisPage } from './leading-off.js';

/**
 * Asks before a link leads off a page whose input was not sent: it would be gone, and an SSN or an answer has to be typed anew. In the
 * page and not over it: a modal would stand in the middle of a frame that is as high as its content, which nobody sees.
 */
export function askToLeave(): void {
  const question = document.querySelector<HTMLElement>('#leaving');
  const [stay, go] = question?.querySelectorAll('button') ?? [];
  if (!question || !stay || !go) return;
  // What was sent and refused is not saved either.
  let isDirty = document.querySelector('.error-summary') !== null;
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
