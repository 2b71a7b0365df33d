let holders = 0;
let release: (() => void) | undefined;

/**
 * Keeps the page from scrolling under a modal. Counted: the last holder to let go restores exactly what was there, the page's own
 * inline style and position included, in whatever order several modals close. Returns the release; calling it twice does no harm.
 */
export function lockScroll(): () => void {
  holders += 1;
  if (holders === 1) release = lock(document.documentElement);
  let held = true;
  return function unlockScroll() {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders === 0) release?.();
  };
}

function lock(root: HTMLElement): () => void {
  const { style } = root;
  const { scrollX, scrollY } = window;
  const before = ['overflow', 'scrollbar-gutter'].map(
    (name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)] as const,
  );
  if (hasClassicScrollbar()) style.setProperty('scrollbar-gutter', 'stable');
  style.setProperty('overflow', 'hidden');
  return function restore() {
    for (const property of before) style.setProperty(...property);
    // An empty attribute was not there before; a page that compares its markup should find it as it was.
    if (!root.getAttribute('style')) root.removeAttribute('style');
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  };
}

/** A scrollbar that takes room leaves a gap when it goes, and the page would jump; keeping its gutter prevents that. */
function hasClassicScrollbar(): boolean {
  return window.innerWidth > document.documentElement.clientWidth;
}
