import type { ErrorCategory, ErrorCode, LicensingApplyError } from './errors.js';
import { LicensingEvent } from './licensing-event.js';

/** `licensing-error`: something failed. The element shows it to the user by itself. */
export class LicensingErrorEvent extends LicensingEvent {
  /** What went wrong. */
  declare readonly code: ErrorCode;
  /** Who can do something about it. */
  declare readonly category: ErrorCategory;
  /** Whether trying again can help. */
  declare readonly recoverable: boolean;
  /** For the developer: what is known beyond the code, and where it says what to do. */
  declare readonly message: string;
  /** What the user reads. */
  declare readonly displayMessage: string;
  /** The section of the documents on this code. */
  declare readonly docsUrl: string;
  constructor(error: LicensingApplyError, displayMessage: string) {
    const { code, category, recoverable, message, docsUrl } = error;
    super('licensing-error', { code, category, recoverable, message, displayMessage, docsUrl });
  }
}
