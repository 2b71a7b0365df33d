/**
 * Wire two: what the element and the hosted page say to each other. The page's end says hello to the origins that its server
 * allowed, the element's end answers the one window and origin that it expects and hands over a port, and everything else
 * travels on that port, each message against a strict schema. The handshake is described in `element-end.ts` and `page-end.ts`,
 * the messages in `messages.ts`.
 *
 * There is no message with room for a social security number or for an answer, in either direction.
 */
export { ChannelError, type ChannelErrorCode } from './channel-error.js';
export { openElementEnd, type ElementEnd, type ElementEndOptions } from './element-end.js';
export { protocolVersions } from './handshake.js';
export type {
  Appearance,
  ApplicationStatus,
  ChannelInit,
  ElementAnswers,
  ElementMessages,
  HostedErrorCode,
  PageMessages,
  ProgressStep,
  Rejection,
  RejectionReason,
  Snapshot,
} from './messages.js';
export { openPageEnd, type ElementHandlers, type PageEnd, type PageEndOptions } from './page-end.js';
export { coreLocale } from './locale.js';
export { isReturn } from './window-message.js';
