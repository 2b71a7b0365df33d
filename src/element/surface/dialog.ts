import { lockScroll } from './scroll-lock.js';

/** Keeps a dialog modal and hands every wish to close it to one place. Nearest platform element: `<dialog closedby="closerequest">`. */
export interface ModalDialog {
  /** Opens the dialog, also again after the element was moved in the document, which takes a dialog out of the top layer. */
  ensureOpen(dialog: HTMLDialogElement): void;
  /** Gives the page its scrolling back. The dialog goes with its template. */
  release(): void;
}

/** @param onCloseRequest Called for Escape and for the Back gesture of phones. Nothing is closed by itself. */
export function createModalDialog(onCloseRequest: () => void): ModalDialog {
  const unlockScroll = lockScroll();
  let watched: HTMLDialogElement | undefined;
  let released = false;

  function watch(dialog: HTMLDialogElement): void {
    watched = dialog;
    dialog.addEventListener('keydown', (event) => {
      // Stopped here and not at `cancel`: Chromium does not ask `cancel` for the second Escape in a row, and would just close.
      const isOurs = event.target instanceof Element && event.target.closest('dialog') === dialog;
      if (event.key !== 'Escape' || event.defaultPrevented || !isOurs) return;
      event.preventDefault();
      onCloseRequest();
    });
    dialog.addEventListener('cancel', (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      onCloseRequest();
    });
    dialog.addEventListener('close', (event) => {
      // Closed by the browser over our head: the answer is asked for as if it had not been.
      if (event.target !== dialog || released || dialog.open || !dialog.isConnected) return;
      dialog.showModal();
      onCloseRequest();
    });
  }

  return {
    ensureOpen(dialog) {
      if (dialog.matches(':modal')) return;
      if (watched !== dialog) watch(dialog);
      dialog.removeAttribute('open');
      dialog.showModal();
    },
    release() {
      released = true;
      unlockScroll();
    },
  };
}
