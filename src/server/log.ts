import { promised } from './promised.js';

/** One line of log. Never holds a secret, a token, a capability address, personal data or a body. */
export interface LogEntry {
  /** How urgent it is. */
  level: 'debug' | 'info' | 'warn' | 'error';
  /** What happened, a stable name such as `bridge.retry` or `webhook.verdict`. */
  event: string;
  /** One sentence for people, where the event alone does not say what to do. */
  message?: string;
  /** Facts about the event. */
  [field: string]: unknown;
}

/** Where log lines go. This library never writes to the console. */
export type Log = (entry: LogEntry) => void;

/** The default: nobody listens. */
export const silentLog: Log = () => undefined;

/** A log of somebody else's, or what ends a subscription. Whether it throws or rejects, the work around it goes on. */
export function harmless<Input = undefined>(call: (input: Input) => unknown): (input?: Input) => void {
  const called = promised(call);
  return function callHarmlessly(input) {
    called(input as Input).catch(() => undefined);
  };
}
