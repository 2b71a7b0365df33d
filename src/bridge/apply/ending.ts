import type { SessionLink } from '../domain/apply/linked.js';
import type { BridgeContext } from '../domain/context.js';

/** When a link ends, for the script to tell the user and the element. */
export interface Ending {
  /** The server's time, as the browser's may be another. ISO 8601 in UTC. */
  now: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** How long before the end it is said. */
  warningMs: number;
}

/** What a user needs to notice that the link ends and to finish a page of the application. */
const longestWarningMs = 5 * 60_000;

/** Says when a link ends. Of short sessions only the last fifth is announced: otherwise they would begin with a warning. */
export function describeEnding(
  { clock, sessionTtlSeconds }: Pick<BridgeContext, 'clock' | 'sessionTtlSeconds'>,
  { expiresAt }: SessionLink,
): Ending {
  const warningMs = Math.min(longestWarningMs, sessionTtlSeconds * 200);
  return { now: clock().toISOString(), expiresAt: expiresAt.toISOString(), warningMs };
}
