import { digitsOf, groupDigits } from './group-digits.js';

/** The groups of an SSN: 123-45-6789. */
const groupsOfSsn = '3 2 4';
const dot = '\u2022';

/**
 * Masks fields such as the SSN, keeps their digits grouped, and adds a button that shows them.
 * Without script it is a plain field.
 *
 * The field has the type `password`, so that neither screen readers nor learning keyboards repeat
 * the input. Its dots would hide the grouping, so they are transparent under a line of dots and
 * dashes in the same monospaced font.
 */
export function maskFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>('.masked')) maskField(field);
}

function maskField(field: HTMLElement): void {
  const input = field.querySelector('input');
  const button = field.querySelector('button');
  const mask = field.querySelector<HTMLElement>('.mask');
  if (!input || !button || !mask) return;

  const groups = (field.dataset['groups'] ?? groupsOfSsn).split(' ').map(Number);
  groupDigits(input, '-', () => groups);
  input.addEventListener('input', draw);
  button.addEventListener('click', () => {
    show(button.getAttribute('aria-pressed') !== 'true');
    input.focus();
  });
  input.form?.addEventListener('submit', (event) => {
    // Otherwise a password manager would offer to save the SSN as a password when the form is sent.
    if (!event.defaultPrevented) input.type = 'text';
  });
  addEventListener('pageshow', () => {
    show(false);
  });
  button.hidden = false;
  show(false);

  function show(isShown: boolean): void {
    if (!input || !button) return;
    input.type = isShown ? 'text' : 'password';
    field.classList.toggle('is-masked', !isShown);
    button.setAttribute('aria-pressed', String(isShown));
    draw();
  }

  function draw(): void {
    if (!input || !mask) return;
    // Only the positions are drawn, never a digit.
    mask.textContent = input.value.replace(/\d/g, dot);
    field.classList.toggle('is-empty', digitsOf(input.value) === '');
  }
}
