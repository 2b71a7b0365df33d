/** Who can do something about an error. */
export type ErrorCategory = 'user' | 'integration' | 'network' | 'hosted';

// prettier-ignore
const table = {
  not_configured: ['integration', false, 'Set session-url, application-url or sessionProvider.'],
  url_refused: ['integration', false, 'The application URL must be https (http on localhost), without credentials, and on another origin than this page.'],
  offline: ['network', true, 'The browser is offline.'],
  load_failed: ['network', true, 'A part of licensing-apply could not be loaded. Publish its chunks beside the entry and allow them in script-src.'],
  session_unreachable: ['network', true, 'The session URL could not be reached.'],
  session_failed: ['integration', true, 'The session URL or sessionProvider did not make a session.'],
  session_unreadable: ['integration', false, 'The session has no applicationUrl, or is not JSON.'],
  session_expired: ['user', true, 'The session ran out. A new one is made when the user starts again.'],
  frame_blocked_by_page: ['integration', false, "This page's Content-Security-Policy blocks the frame. Add the application's origin to frame-src."],
  timeout: ['hosted', true, 'The hosted application did not load within 20 seconds.'],
  application_failed: ['hosted', false, 'The hosted application cannot go on.'],
} as const satisfies Record<string, readonly [ErrorCategory, boolean, string]>;

/** What can go wrong. Codes never change their meaning; new ones may be added. */
export type ErrorCode = keyof typeof table;

/** All codes, for documents and tests. */
export const errorCodes = Object.keys(table) as ErrorCode[];

const docs = 'https://www.npmjs.com/package/licensing-apply#error-';

/** A failure of the element. It names no address with a query and nothing that the user typed. */
export class LicensingApplyError extends Error {
  override readonly name = 'LicensingApplyError';
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Who can do something about it. */
  readonly category: ErrorCategory;
  /** Whether trying again can help. */
  readonly recoverable: boolean;
  /** What to do about it, at length. */
  readonly docsUrl: string;

  /** @param detail What is known beyond the code, such as an HTTP status. */
  constructor(code: ErrorCode, detail = '', options?: ErrorOptions) {
    const [category, recoverable, message] = table[code];
    super(detail ? `${message} (${detail})` : message, options);
    this.code = code;
    this.category = category;
    this.recoverable = recoverable;
    this.docsUrl = docs + code;
  }
}

/** Whether `value` is a {@link LicensingApplyError}, also one of another copy of this package. */
export function isLicensingApplyError(value: unknown): value is LicensingApplyError {
  return value instanceof Error && value.name === 'LicensingApplyError';
}
