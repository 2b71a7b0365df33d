/**
 * Finds a yes without its details before it is sent. The server never shows an answer again, so without this the whole question
 * would have to be answered anew.
 */
export function askForDetails(): void {
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      const submitter = event.submitter instanceof HTMLButtonElement ? event.submitter : undefined;
      if (submitter?.name === 'leave') return;
      const missing = [...form.querySelectorAll('.question')].flatMap(missingDetails);
      if (missing.length === 0) return;
      event.preventDefault();
      missing[0]?.focus();
    });
  }
}

function missingDetails(question: Element): HTMLElement[] {
  for (const note of question.querySelectorAll('.follow-up .error')) note.remove();
  const isYes = question.querySelector<HTMLInputElement>('input[value="yes"]')?.checked ?? false;
  const fields = question.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('.follow-up :is(input, textarea)');
  for (const field of fields) field.removeAttribute('aria-invalid');
  const missing = isYes ? [...fields].filter((field) => field.value.trim() === '') : [];
  for (const field of missing) markMissing(field);
  return missing;
}

function markMissing(field: HTMLInputElement | HTMLTextAreaElement): void {
  const note = document.createElement('p');
  note.className = 'error';
  note.id = `${field.id}-error`;
  note.textContent = field.form?.dataset['detailMissing'] ?? '';
  field.before(note);
  field.setAttribute('aria-invalid', 'true');
  const described = new Set((field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  field.setAttribute('aria-describedby', [...described.add(note.id)].join(' '));
}
