// @ts-check

/**
 * On narrow screens the developer's view is a drawer: a button opens it, Escape and its own button close it.
 * @param {HTMLElement} drawer
 * @param {HTMLElement} openButton
 * @param {HTMLElement} closeButton
 * @param {HTMLElement[]} behind What cannot be used while the drawer lies over it.
 */
export function connectDrawer(drawer, openButton, closeButton, behind) {
  /** @param {boolean} isOpen */
  function set(isOpen) {
    drawer.toggleAttribute('data-open', isOpen);
    openButton.ariaExpanded = String(isOpen);
    for (const element of behind) element.inert = isOpen;
  }

  openButton.addEventListener('click', () => {
    set(true);
    closeButton.focus({ preventScroll: true });
  });
  function close() {
    set(false);
    openButton.focus({ preventScroll: true });
  }
  closeButton.addEventListener('click', close);
  drawer.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && drawer.hasAttribute('data-open')) close();
  });
  // Beside the page it covers nothing.
  matchMedia('(width >= 72rem)').addEventListener('change', () => set(false));
}
