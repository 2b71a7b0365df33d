/**
 * The script of the partner's return page: `<script type="module" src="…/return.js"></script>` is
 * all it needs.
 *
 * The hosted application sends the user to `returnUrl?status=…&state=…`. The script reports both:
 *
 * 1. In a frame, to the page around it, by postMessage.
 * 2. Everywhere, to the other tabs of this site, by BroadcastChannel. `window.opener` is not used,
 *    because a Cross-Origin-Opener-Policy removes it.
 * 3. The element that opened this window as a popup answers `close`, and the script closes it.
 */
const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);
// The last ones: the partner's own parameters of these names come before those that were added.
const [status, state] = ['status', 'state'].map((name) => query.getAll(name).at(-1));

/** The time limit of the element's answer. */
const answerTimeoutMs = 10_000;

if (status && state) {
  const message = { ns: 'licensing-apply', t: 'return', status, state };
  // Only to our own origin: no other site may frame this page and read the values.
  if (window.parent !== window) window.parent.postMessage(message, location.origin);
  const channel = new BroadcastChannel('licensing-apply');
  channel.addEventListener('message', ({ data }: MessageEvent<Partial<typeof message> | null>) => {
    // Only for our own value: all tabs of the site receive it.
    if (data?.ns === message.ns && data.t === 'close' && data.state === state) window.close();
  });
  channel.postMessage(message);
  setTimeout(() => {
    channel.close();
  }, answerTimeoutMs);
}

export {};
