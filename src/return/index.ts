/**
 * The script of the partner's return page: `<script type="module" src="…/return.js"></script>`, nothing else to do.
 *
 * The hosted application sends the user to `returnUrl?status=…&state=…`. Framed in a modal or inline, this tells the page around
 * it; in a window of its own, it tells the tab in which the element waits. `window.opener` is not used: a
 * Cross-Origin-Opener-Policy on the way takes it away.
 */
const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);
// The last: what the partner's own address had of these names stands before what was added.
const [status, state] = ['status', 'state'].map((name) => query.getAll(name).pop());

if (status && state) {
  const message = { ns: 'licensing-apply', t: 'return', status, state };
  // Only to our own origin: whoever else frames this page learns nothing.
  if (window.parent !== window) window.parent.postMessage(message, location.origin);
  const channel = new BroadcastChannel('licensing-apply');
  channel.postMessage(message);
  channel.close();
}

export {};
