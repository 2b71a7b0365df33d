import { html, render } from 'lit';

/** Chromium forgets what a frame wished that is gone before the wish came to it, as it is where the application itself begins to load. */
const outlastsMs = 1_000;

/**
 * Connects to the host before the user opens, and asks it for nothing: the application still begins with the click. A hint in the page
 * itself would not do. Chromium keeps the connections of frames of another site apart from those of the page; a frame without any
 * permission has an origin of its own, and so is one of the former. Firefox keeps those of such a frame apart from all others, and
 * has those of the page's frames and of the page together.
 */
export function connectEarly(origin: string, root: Node): void {
  const sandbox = CSS.supports('-moz-appearance:none') ? '' : 'sandbox';
  // Lit's own text, not a value: `srcdoc` takes no plain string where Trusted Types are required. An origin has no character that
  // could end an attribute.
  const strings = [`<iframe ${sandbox} srcdoc='<link rel=preconnect href=${origin}>'></iframe>`];
  const place = document.createElement('div');
  place.hidden = true;
  // Whoever looks for the frame of the application, as tests do, finds one.
  // eslint-disable-next-line wc/no-closed-shadow-root -- this is the rare case: nothing in it is for anybody
  render(html(Object.assign(strings, { raw: strings })), place.attachShadow({ mode: 'closed' }));
  root.appendChild(place);
  // What is connected stays so without the frame, which may have a process of its own.
  setTimeout(() => place.remove(), outlastsMs);
}
