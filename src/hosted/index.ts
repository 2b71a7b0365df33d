/**
 * The hosted page's end of the channel, for any host of the application:
 *
 * ```ts
 * import { connectHostedPage } from 'licensing-apply/hosted';
 *
 * const page = connectHostedPage({
 *   allowedOrigins: ['https://agency.example'], // the origin of the session's returnUrl
 *   snapshot: { step: 'background', index: 3, count: 6, dirty: false, states: [] },
 *   onConfigure: ({ theme }) => (document.documentElement.dataset.theme = theme),
 *   navigateBack: () => clickBackLink(),
 * });
 * page.update({ savedAt: new Date().toISOString() }); // saved without leaving the page
 * page.submitted(); // on the receipt
 * ```
 *
 * Call it once in every document. Each one introduces itself to the element, so steps can be pages of their own and a reload is
 * nothing special. What it may say is fixed by the protocol: whatever has no field there throws a `TypeError` and never
 * leaves the page.
 */
export type {
  ApplicationStatus,
  ChannelInit,
  HostedErrorCode,
  ProgressStep,
  Rejection,
  RejectionReason,
  Snapshot,
} from '../channel/index.js';
export { connectHostedPage, type HostedPage, type HostedPageOptions } from './hosted-page.js';
