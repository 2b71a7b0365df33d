/** Who can do something about an error. */
export type ErrorCategory = 'user' | 'integration' | 'network' | 'hosted';

// Who can act, and whether trying again can help. What to do stands at `docsUrl`, not in every partner's page.
const table = {
  not_configured: ['integration', false],
  url_refused: ['integration', false],
  offline: ['network', true],
  load_failed: ['network', true],
  session_unreachable: ['network', true],
  not_signed_in: ['user', true],
  session_failed: ['integration', true],
  session_unreadable: ['integration', false],
  session_expired: ['user', true],
  frame_blocked_by_page: ['integration', false],
  frame_blocked_by_application: ['hosted', false],
  popup_blocked: ['user', true],
  protocol_mismatch: ['integration', false],
  timeout: ['hosted', true],
  application_failed: ['hosted', false],
} as const satisfies Record<string, readonly [ErrorCategory, boolean]>;

/** What can go wrong. Codes never change their meaning; new ones may be added. */
export type ErrorCode = keyof typeof table;

/** All codes, for documents and tests. */
export const errorCodes = Object.keys(table) as ErrorCode[];

const docs = 'https://www.npmjs.com/package/licensing-apply#error-';

/** A failure of the element. It names no address with a query and nothing that the user typed. */
export class LicensingApplyError extends Error {
  /** What went wrong. */
  declare readonly code: ErrorCode;
  /** Who can do something about it. */
  declare readonly category: ErrorCategory;
  /** Whether trying again can help. */
  declare readonly recoverable: boolean;
  /** What to do about it, at length. */
  declare readonly docsUrl: string;

  /** @param detail What is known beyond the code, such as an HTTP status. */
  constructor(code: ErrorCode, detail = '', options?: ErrorOptions) {
    const docsUrl = docs + code;
    super(`${detail && `${detail}: `}see ${docsUrl}`, options);
    const [category, recoverable] = table[code];
    Object.assign(this, { name: 'LicensingApplyError', code, category, recoverable, docsUrl });
  }
}

/** Whether `value` is a {@link LicensingApplyError}, also one of another copy of this package. */
export function isLicensingApplyError(value: unknown): value is LicensingApplyError {
  return value instanceof Error && value.name === 'LicensingApplyError';
}
