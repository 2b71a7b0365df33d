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
      unlockScroll = lockScroll();
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
 * Keeps the page from scrolling under a modal, with a separate style sheet: no style of the page
 * changes, so several modals can close in any order. Returns the function that releases it.
 */
export function lockScroll(): () => void {
  const { scrollX, scrollY, innerWidth } = window;
  const sheet = new CSSStyleSheet();
  // When a classic scrollbar disappears the page would jump; its gutter keeps the place.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'stable' : 'auto';
  // Important declarations in a layer override all important ones outside of layers.
  sheet.replaceSync(`@layer{:root{overflow:hidden!important;scrollbar-gutter:${gutter}!important}}`);
  document.adoptedStyleSheets.push(sheet);

  return function unlockScroll() {
    const sheets = document.adoptedStyleSheets;
    const others = sheets.filter((other) => other !== sheet);
    if (others.length === sheets.length) return;
    document.adoptedStyleSheets = others;
    scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  };
}
