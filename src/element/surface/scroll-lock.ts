/**
 * Keeps the page from scrolling under a modal, by a style sheet of its own: nothing of the page's is touched, so there is nothing to
 * restore but the position, in whatever order several modals close. Returns the release; calling it twice does no harm.
 */
export function lockScroll(): () => void {
  const { scrollX, scrollY, innerWidth } = window;
  const sheet = new CSSStyleSheet();
  // A scrollbar that takes room leaves a gap when it goes, and the page would jump; keeping its gutter prevents that.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'stable' : 'auto';
  // In a layer, what is important goes before all that is important outside of one, however a page names its root.
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
