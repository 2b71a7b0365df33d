/**
 * The class and the types of `<licensing-apply>`, without registering it. `licensing-apply`
 * registers it.
 */
export type { PartnerApplication, PartnerSession, PartnerSessionRequest } from '../contract/index.js';
export type { Diagnosis } from './diagnosis.js';
export type { ElementState } from './element-state.js';
export type { ErrorCategory, ErrorCode } from './errors.js';
export { errorCodes, isLicensingApplyError, LicensingApplyError } from './errors.js';
export type {
  AddLicensingListener,
  CloseCause,
  CloseOutcome,
  CloseResult,
  LicensingApplyEventMap,
  RemoveLicensingListener,
} from './events.js';
export {
  LicensingActionEvent,
  LicensingBeforeCloseEvent,
  LicensingBeforeOpenEvent,
  LicensingBlockedEvent,
  LicensingCloseEvent,
  LicensingCompleteEvent,
  LicensingErrorEvent,
  LicensingMessageRejectedEvent,
  LicensingModeChangeEvent,
  LicensingProgressEvent,
  LicensingReadyEvent,
  LicensingStateChangeEvent,
  LicensingStatusEvent,
} from './events.js';
export { LicensingApply } from './licensing-apply.js';
export { registerLocale } from './locales/language.js';
export type { PartialTexts, Texts } from './locales/texts.js';
export type { OpenMode } from './modes.js';
export type { OpenOptions } from './opening/opening.js';
export type { SessionProvider, SessionRequest } from './opening/sessions.js';
export type { ApplicationSnapshot, CompletionSource, StateSnapshot } from './store/snapshot.js';
