import type { Plugin } from 'vite';

/**
 * Lit's own style sheets, for the browsers that this element is made for: whoever knows `light-dark()` adopts style sheets. What
 * Lit does for all others, for texts with holes, and its messages to developers, would be 0.5 kB.
 */
export const adoptedStyles: Plugin = {
  name: 'adopted-styles',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/css-tag.js') ? '\0adopted-styles' : null),
  load: (id) =>
    id === '\0adopted-styles'
      ? `export function css([text]) {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          return sheet;
        }
        export const getCompatibleStyle = (sheet) => sheet;
        export const adoptStyles = (root, sheets) => void (root.adoptedStyleSheets = sheets);
        export const supportsAdoptingStyleSheets = true;
        export const unsafeCSS = (text) => css([text]);
        export const CSSResult = CSSStyleSheet;`
      : null,
};
