/**
 * The hosted page's end of the messaging protocol, for any host of the application:
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
 * Call it once in every document. Each document connects to the element, so each step can be a page
 * and a reload needs no code. The protocol fixes the content of every message: a value without a
 * field there throws a `TypeError` and never leaves the page.
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
