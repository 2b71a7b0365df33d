/** The class and the types of `<licensing-apply>`, without registering it. `licensing-apply` registers it. */
export type { CompletionSource } from './status/application-facts.js';
export { LicensingBeforeOpenEvent } from './events/before-open-event.js';
export type { Diagnosis } from './diagnosis.js';
export { LicensingErrorEvent } from './events/error-event.js';
export type { ErrorCategory, ErrorCode } from './events/errors.js';
export { errorCodes, isLicensingApplyError, LicensingApplyError } from './events/errors.js';
export type {
  AddLicensingListener,
  CloseCause,
  CloseOutcome,
  LicensingApplyEventMap,
  RemoveLicensingListener,
} from './events/events.js';
export {
  LicensingActionEvent,
  LicensingBeforeCloseEvent,
  LicensingBlockedEvent,
  LicensingCloseEvent,
  LicensingCompleteEvent,
  LicensingMessageRejectedEvent,
  LicensingModeChangeEvent,
  LicensingProgressEvent,
  LicensingReadyEvent,
  LicensingStateChangeEvent,
  LicensingStatusEvent,
} from './events/events.js';
export type { FlowState } from './flow.js';
export { LicensingApply } from './licensing-apply.js';
export { registerLocale } from './locales/languages.js';
export type { Phrase, TaggedText } from './locales/phrase.js';
export type { Translation } from './locales/translation.js';
export type { OpenMode } from './mode.js';
export type { OpenOptions } from './opening/opening.js';
export type { SessionProvider, SessionRequest } from './opening/session-source.js';
export type { ApplicationSnapshot, StateSnapshot } from './status/snapshot.js';
