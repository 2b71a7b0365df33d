/** The party that can resolve an error. */
export type ErrorCategory = 'user' | 'integration' | 'network' | 'hosted';

interface ErrorDescription {
  readonly category: ErrorCategory;
  readonly recoverable: boolean;
  /** The problem and how to solve it, for developers. */
  readonly message: string;
}

/** Every error of the element. The reference in the docs is generated from this table. */
const errors = {
  not_configured: {
    category: 'integration',
    recoverable: false,
    message:
      'The element has no session source. Set the attribute session-url to a route of your backend, or set the property sessionProvider.',
  },
  url_refused: {
    category: 'integration',
    recoverable: false,
    message: 'The application URL was refused. Check the applicationUrl that your backend answers.',
  },
  offline: {
    category: 'network',
    recoverable: true,
    message: 'The browser is offline. The user can try again once the connection is back.',
  },
  load_failed: {
    category: 'network',
    recoverable: true,
    message:
      'A part of the element could not be loaded. Check that all files of licensing-apply are deployed and that script-src allows them.',
  },
  internal_error: {
    category: 'integration',
    recoverable: true,
    message: 'The element failed unexpectedly. See the cause of the event, and report it.',
  },
  session_unreachable: {
    category: 'network',
    recoverable: true,
    message: 'The session-url could not be reached. Check that your backend is running and that connect-src allows it.',
  },
  not_signed_in: {
    category: 'user',
    recoverable: true,
    message: 'The session-url does not recognize the user. Ask the user to sign in, then open again.',
  },
  session_failed: {
    category: 'integration',
    recoverable: true,
    message: 'No session was created. See the log of your backend, or the cause of the event.',
  },
  session_unreadable: {
    category: 'integration',
    recoverable: false,
    message: 'The session is not usable. Answer with JSON that has an applicationUrl.',
  },
  session_expired: {
    category: 'user',
    recoverable: true,
    message: 'The session expired and could not be renewed. Opening again continues the application.',
  },
  frame_blocked_by_page: {
    category: 'integration',
    recoverable: false,
    message:
      "This page's Content-Security-Policy blocks the frame. Add the origin of the application to frame-src, or set fallback.",
  },
  frame_blocked_by_application: {
    category: 'hosted',
    recoverable: false,
    message:
      'The application does not allow this page to frame it. Check that returnUrl of the session has the origin of this page, or set fallback.',
  },
  frame_blocked_by_isolation: {
    category: 'hosted',
    recoverable: true,
    message:
      "This page's Cross-Origin-Embedder-Policy blocks the frame, because the page in it lacks the headers for it. Set fallback to redirect.",
  },
  popup_blocked: {
    category: 'user',
    recoverable: true,
    message: 'The browser blocked the popup. Call show() in the task of a click.',
  },
  protocol_mismatch: {
    category: 'integration',
    recoverable: false,
    message: 'The element and the application support no common protocol version. Update licensing-apply.',
  },
  timeout: {
    category: 'hosted',
    recoverable: true,
    message: 'The application did not load within 20 seconds. The user can try again.',
  },
  connection_lost: {
    category: 'hosted',
    recoverable: true,
    message: 'The application stopped answering. The user can load it again, and saved answers are safe.',
  },
  application_failed: {
    category: 'hosted',
    recoverable: false,
    message: 'The application reported that it cannot continue.',
  },
} as const satisfies Record<string, ErrorDescription>;

/** The stable code of an error. Codes never change their meaning; new ones may be added. */
export type ErrorCode = keyof typeof errors;

/** All error codes, for documentation and tests. */
export const errorCodes = Object.keys(errors) as ErrorCode[];

/** Whether another mode may work where this error ended an opening. */
export function isModeError(code: ErrorCode): boolean {
  return code.startsWith('frame_blocked') || code === 'popup_blocked' || code === 'timeout';
}

/** An error of the element. Contains no URL with its query and nothing that the user typed. */
export class LicensingApplyError extends Error {
  override readonly name = 'LicensingApplyError';
  /** The error code. */
  readonly code: ErrorCode;
  /** The party that can resolve it. */
  readonly category: ErrorCategory;
  /** Whether trying again can help. */
  readonly recoverable: boolean;

  /** @param detail Additional data, such as an HTTP status. */
  constructor(code: ErrorCode, detail = '', options?: ErrorOptions) {
    const { category, recoverable, message } = errors[code];
    super(`${message}${detail && ` (${detail})`}`, options);
    this.code = code;
    this.category = category;
    this.recoverable = recoverable;
  }
}

/** Returns `cause` if it is an error of the element, else an `internal_error` with the cause. */
export function toLicensingApplyError(cause: unknown): LicensingApplyError {
  return isLicensingApplyError(cause) ? cause : new LicensingApplyError('internal_error', '', { cause });
}

/** Whether `value` is a {@link LicensingApplyError}, also one of another copy of this package. */
export function isLicensingApplyError(value: unknown): value is LicensingApplyError {
  return value instanceof Error && value.name === 'LicensingApplyError';
}
