import pino, { type DestinationStream, type Logger } from 'pino';
import { capabilityPaths } from '../../contract/index.js';
import { currentTraceparent, traceIdOf } from '../domain/request-id.js';
import type { LogLevel } from './environment.js';

/**
 * Keys whose values are never logged, at any depth: compared in lower case, without separators, as
 * a part of the name. A list of paths would miss values one level deeper.
 */
// prettier-ignore
const secretKeyParts = [
  'ssn', 'socialsecurity', 'taxid', 'answer', 'background', 'question', 'secret', 'token', 'password', 'authorization', 'cookie', 'apikey',
  'agencyid', 'url', 'href', 'query', 'body', 'card', 'securitycode', 'cvv', 'profile', 'firstname', 'lastname', 'email', 'phone',
  'dateofbirth', 'address', 'street', 'npn', 'encrypted', 'parameters',
];

const hidden = '[hidden]';
const maxDepth = 8;

/**
 * Creates the bridge's log: one JSON line per entry, to `destination`. Default: standard output.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin() {
        const traceparent = currentTraceparent();
        return traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
      },
      formatters: {
        level: (label) => ({ level: label }),
        log: (entry) => scrub(entry, 0) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg: unknown) => (typeof arg === 'string' ? scrubText(arg) : arg));
          method.apply(this, clean as Parameters<typeof method>);
        },
      },
      // Errors are plain objects at this point.
      serializers: { err: (error: unknown) => error },
    },
    // Synchronous, so that a killed process has written all its entries.
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** One test instead of five, because matches are rare: a part of each pattern below. */
const secretPaths = [...capabilityPaths, 'webhooks'].join('|');
const suspicious = new RegExp(`\\d[\\d-]{7}\\d|/(?:${secretPaths})/|agc_|postgres`);
const secretPath = new RegExp(`/(${secretPaths})/(?!:)[^\\s/?#"']+`, 'g');
const shortestToken = 43;

/** Removes anything that looks like an SSN, a link token or a bearer token from a text. */
export function scrubText(text: string): string {
  if (text.length < shortestToken && !suspicious.test(text)) return text;
  return (
    text
      .replace(/\b\d{3}-\d{2}-\d{4}\b|\b\d{9}\b/g, '[ssn]')
      // Links of the hosted application and of webhook receivers, and anything as long as a 256-bit
      // token.
      .replace(secretPath, '/$1/[token]')
      .replace(/(?<![\w-])[\w-]{43,}(?![\w-])/g, '[token]')
      .replace(/\bagc_[\w-]+/g, '[agency]')
      .replace(/(postgres(?:ql)?:\/\/)[^\s@]*@/g, '$1[hidden]@')
  );
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (depth >= maxDepth) return hidden;
  if (value instanceof Error) return scrubError(value, depth);
  if (value instanceof Uint8Array) return hidden;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecretKey(key) ? hidden : scrub(item, depth + 1)]),
  );
}

/** Without other properties, because a database error contains the values of its row. */
function scrubError(error: Error, depth: number): object {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: scrubText(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: scrubText(error.stack) }),
    ...(cause === undefined ? {} : { cause: scrub(cause, depth + 1) }),
  };
}

const secretKeys = new RegExp(secretKeyParts.join('|'));
/**
 * Whether a key is hidden. Only caches keys of the bridge's own entries, because keys of callers
 * are unlimited.
 */
const answers = new Map<string, boolean>();
const maxAnswers = 1_000;

function isSecretKey(key: string): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const isSecret = secretKeys.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (answers.size < maxAnswers) answers.set(key, isSecret);
  return isSecret;
}
