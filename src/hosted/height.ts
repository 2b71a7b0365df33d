const mostPixels = 50_000;

/** Calls `onHeight` with the height of the content in whole CSS pixels, now and whenever it changes. */
export function observeHeight(root: HTMLElement, signal: AbortSignal, onHeight: (height: number) => void): void {
  const view = root.ownerDocument.defaultView ?? window;
  let lastHeight = -1;
  // The callback comes once for the start of the observation too.
  const observer = new ResizeObserver(() => {
    // From the top of the document to the end of the content: `scrollHeight` would never fall below the height of the frame.
    const height = Math.min(mostPixels, Math.max(0, Math.ceil(root.getBoundingClientRect().bottom + view.scrollY)));
    if (height === lastHeight) return;
    lastHeight = height;
    onHeight(height);
  });
  observer.observe(root);
  signal.addEventListener('abort', () => {
    observer.disconnect();
  });
}
