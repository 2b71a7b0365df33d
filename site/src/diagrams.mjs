/** Draws the diagrams of a page, again whenever its theme changes. Their library loads on pages with a diagram only. */
const places = [...document.querySelectorAll('pre.diagram')].map((element) => ({ element, text: element.textContent }));

if (places.length > 0) {
  const { default: mermaid } = await import('mermaid');
  let drawn = 0;
  const draw = async () => {
    const isDark = document.documentElement.dataset.theme === 'dark';
    mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral', fontFamily: 'system-ui, sans-serif' });
    for (const { element, text } of places) {
      const { svg } = await mermaid.render(`diagram-${++drawn}`, text);
      element.innerHTML = svg;
    }
  };
  // One after another: two drawings at once would share the settings.
  let last = draw();
  new MutationObserver(() => (last = last.then(draw))).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}
