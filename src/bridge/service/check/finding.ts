/**
 * What a check found:
 *
 * - `ok`: it is ready for live mode.
 * - `note`: live mode works without it. The operator decides.
 * - `missing`: live mode needs it.
 * - `failed`: it is set, and cannot be used.
 */
export type FindingStatus = 'ok' | 'note' | 'missing' | 'failed';

/** One line of `licensing-bridge check`. */
export interface Finding {
  status: FindingStatus;
  /** The checked part, in a few words. */
  subject: string;
  /** The current setting, or the next step. It has no secret. */
  text: string;
}

/** Whether nothing is missing and nothing failed. */
export function isReady(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status === 'ok' || status === 'note');
}

/** A finding that depends on a condition. */
export function finding(subject: string, isOk: boolean, ok: string, otherwise: FindingStatus, text: string): Finding {
  return isOk ? { status: 'ok', subject, text: ok } : { status: otherwise, subject, text };
}
