import { html, type TemplateResult } from 'lit';

/**
 * Connects to the host before the user opens, and asks it for nothing: the application still begins with the click. A hint in the page
 * itself would not do. Chromium keeps the connections of frames of another site apart from those of the page; a frame without any
 * permission has an origin of its own, and so is one of the former. Firefox keeps those of such a frame apart from all others, and
 * has those of the page's frames and of the page together.
 */
export function renderEarlyConnection(origin: string): TemplateResult {
  const sandbox = CSS.supports('-moz-appearance:none') ? '' : 'sandbox';
  // Lit's own text, not a value: `srcdoc` takes no plain string where Trusted Types are required. An origin has no character that
  // could end an attribute.
  const strings = [`<iframe ${sandbox} srcdoc='<link rel=preconnect href=${origin}>' @load=`, '></iframe>'];
  // What is connected stays so without the frame, which may have a process of its own.
  return html(Object.assign(strings, { raw: strings }), ({ target }: { target: Element }) => target.remove());
}
