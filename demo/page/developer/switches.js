// @ts-check

const storageKey = 'switches';

/**
 * Lets the switches set the element's attributes and the page's look, and keeps them in the page's address, so that a reload
 * shows the same. An address that says nothing of them, as that of who comes back from the application, shows what this tab had.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} element
 */
export function connectSwitches(form, element) {
  const said = choicesIn(location.search);
  const kept = said.length > 0 ? [] : choicesIn(sessionStorage.getItem(storageKey) ?? '');
  for (const choice of [...said, ...kept]) choice.checked = true;
  apply();
  if (kept.length > 0) showInAddress();
  form.addEventListener('change', () => {
    apply();
    showInAddress();
  });

  /** @param {string} query As somebody may have typed it. */
  function choicesIn(query) {
    return [...new URLSearchParams(query)].flatMap(([name, value]) => {
      const choice = form.querySelector(`input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
      return choice instanceof HTMLInputElement ? [choice] : [];
    });
  }

  function showInAddress() {
    const address = new URL(location.href);
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value));
    history.replaceState(history.state, '', address);
  }

  function apply() {
    const chosen = new FormData(form);
    sessionStorage.setItem(
      storageKey,
      String(new URLSearchParams([...chosen].map(([name, value]) => [name, String(value)]))),
    );
    const [mode, theme, look, locale, payment] = ['mode', 'theme', 'look', 'locale', 'payment'].map((name) =>
      String(chosen.get(name)),
    );
    element.setAttribute('mode', mode ?? 'modal');
    element.setAttribute('theme', theme ?? 'auto');
    element.setAttribute('locale', locale ?? '');
    element.setAttribute('session-url', `/licensing/sessions?payment=${payment}&mode=${mode}`);

    Object.assign(document.documentElement.dataset, { theme, look });
    // A look may bring contents for the element's slots. What is in no slot is not shown.
    for (const part of element.children) {
      if (part instanceof HTMLElement) part.slot = part.dataset['look'] === look ? (part.dataset['slot'] ?? '') : '';
    }
    const hero = /** @type {HTMLElement} */ (element.closest('.hero'));
    hero.dataset['mode'] = mode;
    for (const [id, isMeant] of /** @type {const} */ ([
      ['payment-by-user', payment === 'user_pays'],
      ['payment-by-partner', payment === 'partner_billing'],
    ])) {
      const row = document.getElementById(id);
      if (row) row.hidden = !isMeant;
    }
  }
}
