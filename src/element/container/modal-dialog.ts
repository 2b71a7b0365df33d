/**
 * A native modal dialog that asks before it closes. Nearest platform element: `<dialog
 * closedby="closerequest">`.
 */
export interface ModalDialog {
  /** Opens the dialog; also again after a move in the document took it out of the top layer. */
  ensureOpen(dialog: HTMLDialogElement): void;
  /** Lets the page scroll again. The dialog itself goes with its template. */
  release(): void;
}

/**
 * @param onCloseRequest Called for Escape and for the Back gesture of phones. Closes nothing by
 * itself.
 */
export function createModalDialog(onCloseRequest: () => void): ModalDialog {
  let unlockScroll: (() => void) | undefined;
  let observer: IntersectionObserver | undefined;
  const ended = new AbortController();

  function observe(dialog: HTMLDialogElement): IntersectionObserver {
    // Chromium closes at the second Escape in a row without a cancelable `cancel`, so keys count
    // too.
    dialog.oncancel = (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      onCloseRequest();
    };
    const visibility = new IntersectionObserver(() => {
      const wasClosedByBrowser = !dialog.open;
      // In a hidden part of the page the dialog is invisible but would keep the page inert.
      if (!dialog.checkVisibility()) {
        dialog.querySelector('dialog')?.close();
        dialog.close();
        unlockScroll?.();
      }
      ensureOpen(dialog);
      if (wasClosedByBrowser) onCloseRequest();
    });
    visibility.observe(dialog);
    // On the window and in the capture phase: a dialog of the page around this one may listen on the
    // document in that phase, and would close with the input in this one.
    const onKeydown = (event: KeyboardEvent) => {
      const path = event.composedPath();
      // Without a focused element the key goes to the body, which is inert.
      const isOurs = path.includes(dialog) || path[0] === document.body;
      if (event.key !== 'Escape' || !isOurs || !dialog.matches(':modal')) return;
      event.stopImmediatePropagation();
      // The browser closes the question on top of it.
      if (dialog.querySelector('dialog[open]')) return;
      event.preventDefault();
      onCloseRequest();
    };
    for (const type of ['click', 'keydown', 'keypress', 'keyup'])
      dialog.addEventListener(type, keepFromPage, { signal: ended.signal });
    addEventListener('keydown', onKeydown, { capture: true, signal: ended.signal });
    return visibility;
  }

  function ensureOpen(dialog: HTMLDialogElement): void {
    observer ??= observe(dialog);
    if (dialog.matches(':modal')) return;
    dialog.close();
    if (dialog.parentElement?.checkVisibility()) {
      dialog.showModal();
      unlockScroll?.();
      unlockScroll = lockScroll(() => dialog.isConnected);
    } else {
      // Open but not modal, so that the observer reports when it becomes visible.
      dialog.open = true;
    }
  }

  return {
    ensureOpen,
    release() {
      observer?.disconnect();
      ended.abort();
      unlockScroll?.();
    },
  };
}

/**
 * Ends an event at the modal: around the element the page may have a row or a card that is clickable
 * as a whole. Events of elements that the page put into a slot are left to the page.
 */
function keepFromPage(event: Event): void {
  const { currentTarget, target } = event;
  if (!(currentTarget instanceof Node) || !(target instanceof Node) || !currentTarget.contains(target)) return;
  event.stopPropagation();
  // A link around the element would be followed even so. No button of the modal has a default action.
  if (event.type === 'click') event.preventDefault();
}

/**
 * Keeps the page from scrolling under a modal, with a separate style sheet: no style of the page
 * changes, so several modals can close in any order. Returns the function that releases it, and
 * restores the scroll position if the lock changed it and it still has a meaning: on the same page,
 * which has not scrolled itself since.
 *
 * @param isInPage Whether the page still has the modal.
 */
export function lockScroll(isInPage: () => boolean = () => true): () => void {
  const { scrollX, scrollY, innerWidth } = window;
  const { href } = location;
  const sheet = new CSSStyleSheet();
  // When a classic scrollbar disappears the page would jump; its gutter keeps the place.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'stable' : 'auto';
  // Important declarations in a layer override all important ones outside of layers.
  sheet.replaceSync(`@layer{:root{overflow:hidden!important;scrollbar-gutter:${gutter}!important}}`);
  document.adoptedStyleSheets.push(sheet);
  const locked = [window.scrollX, window.scrollY];

  return function unlockScroll() {
    const sheets = document.adoptedStyleSheets;
    const others = sheets.filter((other) => other !== sheet);
    if (others.length === sheets.length) return;
    document.adoptedStyleSheets = others;
    const isSamePage = isInPage() && location.href === href;
    if (!isSamePage || window.scrollX !== locked[0] || window.scrollY !== locked[1]) return;
    scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  };
}
