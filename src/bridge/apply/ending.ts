import type { SessionLink } from '../domain/apply/linked.js';
import type { BridgeContext } from '../domain/context.js';
import { warningMs } from '../domain/sessions/renewal.js';

/** When a link ends, for the script to tell the user and the element. */
export interface Ending {
  /** The server's time, as the browser's may be another. ISO 8601 in UTC. */
  now: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** How long before the end it is said. */
  warningMs: number;
}

/** Says when a link ends. */
export function describeEnding(
  context: Pick<BridgeContext, 'clock' | 'sessionTtlSeconds'>,
  { expiresAt }: SessionLink,
): Ending {
  return { now: context.clock().toISOString(), expiresAt: expiresAt.toISOString(), warningMs: warningMs(context) };
}
