import type { MissingWords } from '../texts/missing-words.js';

/**
 * Stops a form that has a yes without its details, and shows what is missing as the server shows
 * errors: one message at each field, and a summary above the page. The server never sends answers
 * back, so the user would have to answer the whole question again.
 */
export function askForDetails(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-missing]')) {
    const words = JSON.parse(form.dataset['missing'] ?? '{}') as MissingWords;
    form.addEventListener('submit', (event) => {
      const submitter = event.submitter instanceof HTMLButtonElement ? event.submitter : undefined;
      if (submitter?.name === 'leave') return;
      document.querySelector('.error-summary')?.remove();
      const missing = [...form.querySelectorAll('.question')].flatMap(findMissing);
      if (missing.length === 0) return;
      event.preventDefault();
      for (const part of missing) mark(part, words);
      summarize(missing, words).focus();
    });
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A missing part of an answer: one field, a date of several fields, or the answer to a question. */
interface Missing {
  /** The box with its label, which is marked. */
  box: Element;
  /** The first empty field. */
  field: Field;
  kind: keyof MissingWords['messages'];
}

/**
 * The missing parts of one question, without those of the questions below it, which are checked
 * separately. Removes the marks of an earlier try.
 */
function findMissing(question: Element): Missing[] {
  const own = <Found extends Element>(selector: string) =>
    [...question.querySelectorAll<Found>(selector)].filter((found) => found.closest('.question') === question);
  const boxes = [question, ...own('.follow-up .field:not(.question)')];
  for (const box of boxes) unmark(box);
  if (!isAsked(question)) return [];
  const [radio, ...radios] = own<HTMLInputElement>('.yes-no input');
  // A question below a "yes" must be answered together with it.
  const isOpen = questionAbove(question) !== undefined && ![radio, ...radios].some((one) => one?.matches(':checked'));
  if (isOpen) return radio ? [{ box: question, field: radio, kind: 'answer' }] : [];
  return isYes(question) ? boxes.slice(1).filter(isTold).flatMap(missingIn) : [];
}

/** Whether a box is of the first incident, or of one with something typed. */
function isTold(box: Element): boolean {
  const fields = box.closest('.incident')?.querySelectorAll<Field>('input, textarea, select');
  return fields === undefined || [...fields].some((field) => field.value.trim() !== '');
}

function missingIn(box: Element): Missing[] {
  const empty = [...box.querySelectorAll<Field>(':is(input, textarea, select)[required]')].find(
    (field) => field.value.trim() === '',
  );
  if (!empty) return [];
  const isDate = box.querySelector('.in-a-row') !== null;
  return [{ box, field: empty, kind: isDate ? 'date' : empty.matches('select') ? 'choice' : 'text' }];
}

function isYes(question: Element): boolean {
  return question.querySelector(':scope > .yes-no input[value="yes"]')?.matches(':checked') ?? false;
}

function isAsked(question: Element): boolean {
  const above = questionAbove(question);
  return above === undefined || (isYes(above) && isAsked(above));
}

function questionAbove(question: Element): Element | undefined {
  return question.parentElement?.closest('.question') ?? undefined;
}

function mark({ box, field, kind }: Missing, { prefix, messages }: MissingWords): void {
  const message = document.createElement('p');
  message.className = 'error';
  message.id = `${field.id}-error`;
  const hidden = document.createElement('span');
  hidden.className = 'visually-hidden';
  hidden.textContent = prefix;
  message.append(hidden, ' ', messages[kind]);
  (field.closest('.yes-no, .in-a-row') ?? field).before(message);
  box.classList.add('has-error');
  // Screen readers read the error of a group with its name, and that of a field with the field.
  const described = box.matches('fieldset') ? box : field;
  if (described === field) field.setAttribute('aria-invalid', 'true');
  const ids = new Set((described.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  described.setAttribute('aria-describedby', [...ids.add(message.id)].join(' '));
}

function unmark(box: Element): void {
  box.classList.remove('has-error');
  const message = [...box.querySelectorAll('.error')].find((one) => one.closest('.field') === box);
  message?.remove();
  for (const element of [box, ...box.querySelectorAll('[aria-invalid]')]) {
    element.removeAttribute('aria-invalid');
    const ids = (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id !== '' && id !== message?.id);
    if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '));
    else element.removeAttribute('aria-describedby');
  }
}

/** As `errorSummary` of the pages. */
function summarize(missing: readonly Missing[], { title, messages }: MissingWords): HTMLElement {
  const summary = document.createElement('div');
  summary.className = 'error-summary';
  summary.role = 'alert';
  summary.tabIndex = -1;
  summary.setAttribute('aria-labelledby', 'error-summary-title');
  const heading = document.createElement('h2');
  heading.id = 'error-summary-title';
  heading.textContent = title;
  const list = document.createElement('ul');
  list.append(
    ...missing.map(({ box, field, kind }) => {
      const link = document.createElement('a');
      link.href = `#${field.id}`;
      link.textContent = `${labelOf(box)}: ${messages[kind]}`;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  summary.append(heading, list);
  document.querySelector('#title')?.before(summary);
  return summary;
}

function labelOf(box: Element): string {
  return box.querySelector(':scope > :is(label, legend)')?.textContent.trim() ?? '';
}
