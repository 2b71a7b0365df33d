import type { Language } from '../locales/language.js';
import { openPopup } from './popup.js';

/** What is asked of a window of its own, and who hears of it. */
export interface PopupWindowOptions {
  language(): Language;
  /** One that was opened already, in the task of the click; `null` when it was blocked. */
  popup: Window | null | undefined;
  signal: AbortSignal;
  /** Called when there is a window, or the browser blocks it: `retry` then opens it from another click. */
  onSettle(retry: (() => void) | undefined): void;
  /** Called a while after it was closed, or after it only looks so: a Cross-Origin-Opener-Policy on its way cuts the tie. */
  onGone(isCertain: boolean): void;
}

/** A window of its own for the application. */
export interface PopupWindow {
  /** Resolves once there is a window. */
  readonly opened: Promise<unknown>;
  window(): Window | null;
  /** Loads an address, and again in each window that replaces this one. */
  load(url: URL): void;
  /** Brings the window to the front, or opens another when it is gone. To be called by a click. */
  show(): void;
}

const watchEveryMs = 500;
/** What a return page may need to load and to tell us how it ended. */
const graceMs = 3_000;

/** Opens the window, unless it is there already. */
export function createPopupWindow(options: PopupWindowOptions): PopupWindow {
  const { signal } = options;
  let { popup = openPopup(options.language()) } = options;
  let address: URL | undefined;
  let isGone = false;
  let resolveOpened: (value?: unknown) => void = () => undefined;
  const opened = new Promise((resolve, reject) => {
    resolveOpened = resolve;
    signal.addEventListener('abort', reject);
  });

  const watch = setInterval(() => {
    if (!popup?.closed || isGone) return;
    isGone = true;
    // Our own empty page goes nowhere by itself.
    if (!address) options.onGone(true);
    else
      setTimeout(() => {
        if (isGone && !signal.aborted) options.onGone(false);
      }, graceMs);
  }, watchEveryMs);
  signal.addEventListener('abort', () => {
    clearInterval(watch);
    popup?.close();
  });

  function show(): void {
    if (popup && !popup.closed) {
      popup.focus();
      return;
    }
    popup = openPopup(options.language());
    settle();
  }

  function settle(): void {
    isGone = false;
    options.onSettle(popup ? undefined : show);
    if (!popup) return;
    resolveOpened();
    // Replaced and not assigned: Back must not lead to the empty page.
    if (address) popup.location.replace(address.href);
  }

  // After whoever opens this has taken hold of it.
  queueMicrotask(() => {
    if (!signal.aborted) settle();
  });
  return {
    opened,
    window: () => popup,
    load(url) {
      if (popup?.closed) {
        options.onGone(true);
        return;
      }
      address = url;
      settle();
    },
    show,
  };
}
