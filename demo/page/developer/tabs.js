// @ts-check

/**
 * Makes tabs of a `role="tablist"`: arrow keys move, and a tab that is not open counts what it has not shown yet.
 * @param {HTMLElement} list
 */
export function createTabs(list) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);

  /** @param {HTMLElement} chosen */
  function open(chosen) {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panelOf(tab).hidden = !isChosen;
    }
    delete chosen.dataset['unseen'];
    chosen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  list.addEventListener('click', (event) => {
    const tab = tabs.find((each) => each === event.target);
    if (tab) open(tab);
  });
  list.addEventListener('keydown', (event) => {
    const from = tabs.findIndex((tab) => tab === event.target);
    const forward = getComputedStyle(list).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
    const to = { [forward]: from + 1, [backward]: from - 1, Home: 0, End: -1 }[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!tab) return;
    event.preventDefault();
    open(tab);
    tab.focus();
  });
  for (const tab of tabs.slice(0, 1)) open(tab);

  return {
    /**
     * Counts one more at the tab unless it is open.
     * @param {string} id
     */
    countUnseen(id) {
      const tab = tabs.find((each) => each.id === id);
      if (!tab || tab.ariaSelected === 'true') return;
      tab.dataset['unseen'] = String(Number(tab.dataset['unseen'] ?? 0) + 1);
    },
  };
}

/** @param {HTMLElement} tab */
function panelOf(tab) {
  return /** @type {HTMLElement} */ (document.getElementById(tab.getAttribute('aria-controls') ?? ''));
}
