import { digitsOf, groupDigits } from './group-digits.js';

/** An SSN as it is written: 123-45-6789. */
const groupsOfSsn = '3 2 4';
const dot = '\u2022';

/**
 * Masks the fields of an SSN and the like, whose digits stay grouped, and offers to show them. Without script it is a plain field.
 *
 * The field is one of type `password`: neither a screen reader nor a keyboard that learns words repeats what is typed. Its own dots would
 * hide the grouping, so they are transparent under a line of dots and dashes of the same monospaced font.
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
    // A password manager offers to keep what is in a password field when its form is sent. An SSN is nobody's password.
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
    // Only the places are drawn, never a digit.
    mask.textContent = input.value.replace(/\d/g, dot);
    field.classList.toggle('is-empty', digitsOf(input.value) === '');
  }
}
