import type { OpenMode } from '../mode.js';
import { watchPolicy } from './policy-watch.js';

/** The frame of one opening. It may be there, and load, before the code that talks to its page. */
export interface Frame {
  readonly element: HTMLIFrameElement;
  /** Where it stands. */
  readonly mode: OpenMode;
  /** What it loads; undefined as long as it loads nothing. */
  url?: URL;
  /** When it began to load, in milliseconds since the page was there. */
  startedAt?: number;
  /** Resolves when something is there: the page, or the browser's own words on why it is not. */
  loaded?: Promise<unknown>;
}

/** Creates a frame that loads nothing yet. Each opening has its own: changing `src` would add steps to the page's Back button. */
export function createFrame(mode: OpenMode): Frame {
  const frame = document.createElement('iframe');
  frame.part = 'frame';
  frame.allow =
    'payment; publickey-credentials-get; publickey-credentials-create; otp-credentials; clipboard-write; storage-access';
  // The hosted page may learn which site frames it, never which page: paths can hold personal data.
  frame.referrerPolicy = 'strict-origin';
  return { element: frame, mode };
}

/** Lets a frame load, at once if it is in the document. */
export function loadFrame(frame: Frame, url: URL): void {
  const { element } = frame;
  frame.url = url;
  frame.startedAt = performance.now();
  // Firefox tells of the empty document later than it is there. That one alone can be looked into.
  frame.loaded = new Promise((resolve) =>
    element.addEventListener('load', () => element.contentDocument ?? resolve(0)),
  );
  // A refusal is told only once, perhaps before anybody wants to know.
  watchPolicy();
  // No top navigation: exactly one party moves this page, and that is the element. Scripts with same origin is safe only
  // because the URL policy refuses frames of the page's own origin; popups must escape for wallets and bank checks to work.
  // Not before: Chromium warns of an empty frame with both, since that is of the page's origin.
  element.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-storage-access-by-user-activation',
  );
  element.src = url.href;
}
