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
  let unlockScroll: (() => void) | undefined;
  let observer: IntersectionObserver | undefined;

  function watch(dialog: HTMLDialogElement): IntersectionObserver {
    const ask = (event: Event & { key?: string }) => {
      const isOurs = (event.target as Element).closest('dialog') === dialog;
      if (!isOurs || event.defaultPrevented || (event.key ?? 'Escape') !== 'Escape') return;
      event.preventDefault();
      // Nor is it for a modal of the page's own around this one.
      event.stopPropagation();
      onCloseRequest();
    };
    // Not at `cancel` alone: Chromium does not ask it for the second Escape in a row, and would just close.
    dialog.onkeydown = dialog.oncancel = ask;
    const sight = new IntersectionObserver(() => {
      // Closed by the browser over our head: the answer is asked for as if it had not been.
      const isClosed = !dialog.open;
      // A part of the page that goes out of sight takes the modal with it, which would leave a page that nobody can use.
      if (!dialog.checkVisibility()) {
        dialog.querySelector('dialog')?.close();
        dialog.close();
        unlockScroll?.();
      }
      ensureOpen(dialog);
      if (isClosed) onCloseRequest();
    });
    sight.observe(dialog);
    return sight;
  }

  function ensureOpen(dialog: HTMLDialogElement): void {
    observer ??= watch(dialog);
    if (dialog.matches(':modal')) return;
    dialog.close();
    if (dialog.parentElement?.checkVisibility()) {
      dialog.showModal();
      // Twice where it is only moved.
      unlockScroll?.();
      unlockScroll = lockScroll();
      // Else it is there, though not modal, and is told of when it comes into sight.
    } else dialog.open = true;
  }

  return {
    ensureOpen,
    release() {
      observer?.disconnect();
      unlockScroll?.();
    },
  };
}
