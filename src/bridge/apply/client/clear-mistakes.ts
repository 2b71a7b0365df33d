/**
 * Removes the error of a choice when the user makes it: "Choose yes or no" next to a chosen Yes
 * would look as if it was not accepted. The error of a text field stays until the form is sent,
 * because only the server can check the new text.
 */
export function clearMistakes(): void {
  document.addEventListener('change', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    const group = target.closest<HTMLElement>('fieldset.has-error');
    const mistake = group?.querySelector<HTMLElement>(':scope > .error');
    if (!group || !mistake) return;
    group.classList.remove('has-error');
    removeId(group, mistake.id);
    mistake.remove();
    for (const choice of group.querySelectorAll<HTMLInputElement>('input[type="radio"]')) removeFromSummary(choice.id);
  });
}

function removeId(element: HTMLElement, id: string): void {
  const rest = (element.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== id);
  if (rest.length > 0) element.setAttribute('aria-describedby', rest.join(' '));
  else element.removeAttribute('aria-describedby');
}

function removeFromSummary(field: string): void {
  const summary = document.querySelector('.error-summary');
  summary
    ?.querySelector(`a[href="#${CSS.escape(field)}"]`)
    ?.closest('li')
    ?.remove();
  if (summary?.querySelector('li') === null) summary.remove();
}
