/** Creates the frame for one opening. Each opening has its own: changing `src` would add steps to the page's Back button. */
export function createFrame(title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.part.add('frame');
  // No top navigation: exactly one party moves this page, and that is the element. Scripts with same origin is safe only
  // because the URL policy refuses frames of the page's own origin; popups must escape for wallets and bank checks to work.
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-storage-access-by-user-activation',
  );
  frame.allow =
    'payment; publickey-credentials-get; publickey-credentials-create; otp-credentials; clipboard-write; storage-access';
  // The hosted page may learn which site frames it, never which page: paths can hold personal data.
  frame.referrerPolicy = 'strict-origin';
  return frame;
}
