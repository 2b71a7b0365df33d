/**
 * The messaging protocol between the element and the hosted page. The page's end sends hello to the
 * origins that its server allowed, the element's end answers the one window and origin that it
 * expects and transfers a port, and everything else travels on that port, each message checked
 * against a strict schema. `handshake.ts` describes the handshake, `link.ts` the port,
 * `messages.ts` and `schemas.ts` the messages.
 *
 * No message has a field for a social security number or for an answer, in either direction. The
 * only text that a host chooses freely is the path of its links.
 */
export { openElementEnd, type ElementEnd, type ElementEndOptions } from './element-end.js';
export { isReturn, protocolVersions } from './handshake.js';
export { ChannelError, type ChannelErrorCode } from './link.js';
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
export { coreLocale } from './schemas.js';
