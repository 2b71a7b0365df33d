import { capabilityPaths } from '../contract/index.js';

/**
 * One line of the log. Never holds a secret, a token, a capability URL, personal data or a body.
 */
export interface LogEntry {
  /** The level. */
  level: 'debug' | 'info' | 'warn' | 'error';
  /** Stable name of the event, such as `bridge.retry` or `webhook.refused`. */
  event: string;
  /** A sentence for people, where the event alone does not state the fix. */
  message?: string;
  /** Facts about the event. */
  [field: string]: unknown;
}

/** A function that writes log lines. An error that it throws is ignored. */
export type Log = (entry: LogEntry) => void;

/** Writes entries of level `info` and above to the console, one line each. */
export const consoleLog: Log = ({ level, event, message, ...facts }) => {
  if (level === 'debug') return;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const parts = known.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  // A line break in a message would let it forge another line.
  const text = message?.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  console[level](['licensing-apply', event, text, ...parts].filter(Boolean).join(' '));
};

/** Calls a function of the partner whose failure must not stop the work around it. */
export function ignoreErrors<Input extends unknown[]>(call: (...input: Input) => unknown): (...input: Input) => void {
  return function callIgnoringErrors(...input) {
    Promise.resolve()
      .then(() => call(...input))
      .catch(() => undefined);
  };
}

const removed = '[removed]';
/** With separators: nine digits alone may be an NPN. */
const ssnShape = /(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])/g;
const bearerShape = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
/**
 * URLs that grant access: the hosted application, requests for action, our own webhooks. The last
 * part is the secret.
 */
const secretUrlShape = new RegExp(
  `/(${[...capabilityPaths, 'webhooks'].join('|')})/[\\w.~-]{8,}(?:/[\\w-]{43,})?`,
  'g',
);

/**
 * The message of an error of the partner's code for a log line: without text that looks like an
 * SSN, a bearer token or a URL that grants access.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
      .replace(bearerShape, `$1 ${removed}`)
      .replace(secretUrlShape, `/$1/${removed}`)
      .replace(ssnShape, removed);
  } catch {
    return 'Thrown without a text.';
  }
}
