import { type Container, type ContainerOptions, createContainerFrame } from './container.js';

/** The options of a container with a popup. */
export interface PopupContainerOptions extends ContainerOptions {
  /** Opens the popup; `null` when blocked. */
  openPopup(): Window | null;
  /**
   * The popup that was opened in the task of the click; `null` when blocked, undefined to open one.
   */
  popup: Window | null | undefined;
  /**
   * Called when the browser blocks the popup. Returns whether the element offers a button for
   * `retry`.
   */
  onBlocked(retry: () => void): boolean;
  /** Called after the popup was closed. */
  onPopupClosed(): void;
}

const pollEveryMs = 500;
/** The time that a return page may need to load and report, after the popup seems to be closed. */
const graceMs = 1_500;

/** Creates a popup container, and its placeholder on the page. */
export function createPopupContainer(options: PopupContainerOptions): Container {
  const { signal } = options;
  let { popup = options.openPopup() } = options;
  let url: URL | undefined;
  let closedTimer: ReturnType<typeof setTimeout> | undefined;
  let resolveOpened: () => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    resolveOpened = resolve;
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  // It may reject after the opening stopped to await it.
  opened.catch(() => undefined);
  const shared = createContainerFrame(options, { mode: 'popup', onShowPopup: showPopup });

  // Browsers send no event when a popup closes.
  const poll = setInterval(() => {
    if (popup?.closed && closedTimer === undefined) closedTimer = setTimeout(options.onPopupClosed, graceMs);
  }, pollEveryMs);

  signal.addEventListener('abort', () => {
    clearInterval(poll);
    clearTimeout(closedTimer);
    popup?.close();
  });

  /** Brings the popup to the front, or opens it again. Must run in the task of a click. */
  function showPopup(): void {
    if (popup && !popup.closed) {
      popup.focus();
      return;
    }
    popup = options.openPopup();
    onOpened();
  }

  function onOpened(): void {
    clearTimeout(closedTimer);
    closedTimer = undefined;
    shared.change({ isBlocked: !popup && options.onBlocked(showPopup) });
    if (!popup) return;
    resolveOpened();
    navigate();
  }

  function navigate(): void {
    // Replaced and not assigned: the Back button must not lead to the empty page.
    if (popup && url) popup.location.replace(url.href);
  }

  function replace(next: URL): void {
    url = next;
    navigate();
    shared.setUrl(url);
  }

  // The opening must have this container before a blocked popup is reported.
  queueMicrotask(() => {
    if (!signal.aborted) onOpened();
  });

  return {
    ...shared,
    mode: 'popup',
    isFrame: false,
    opened,
    window: () => popup ?? null,
    // Browsers do not report when a window of another site has loaded.
    load(applicationUrl, onLoad) {
      replace(applicationUrl);
      onLoad();
    },
    replace,
    // A popup scrolls by itself.
    resize: () => undefined,
    scrollTo: () => undefined,
  };
}
