// @ts-check
// Sets the attributes of the element and the look of the page. The URL keeps the choices.
const form = /** @type {HTMLFormElement} */ (document.querySelector('#switches'));
const apply = /** @type {HTMLElement} */ (document.querySelector('licensing-apply'));

for (const [name, value] of new URLSearchParams(location.search)) {
  const select = form.elements.namedItem(name);
  if (select instanceof HTMLSelectElement) select.value = value;
}
form.addEventListener('change', () => {
  history.replaceState(history.state, '', `?${choices()}`);
  applyChoices();
});
applyChoices();

document.querySelector('#sign-out')?.addEventListener('click', async () => {
  await fetch('/developer/sign-out', { method: 'POST' });
  location.reload();
});

function choices() {
  return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

function applyChoices() {
  const { mode = '', theme = '', locale = '', look = '' } = Object.fromEntries(choices());
  for (const [name, value] of Object.entries({ mode, theme, locale })) apply.setAttribute(name, value);
  apply.setAttribute('session-url', `/developer/licensing/sessions?${choices()}`);
  Object.assign(document.documentElement.dataset, { theme, look });
}
