import type { Schema } from '../../src/channel/schema.js';
import {
  answerSchemas,
  elementSchemas,
  helloSchema,
  pageSchemas,
  rejectSchema,
  welcomeSchema,
} from '../../src/channel/schemas.js';

const ns = 'licensing-apply';
const doc = 'abcdefghijklmnopabcdefghijklmnop';
const appearance = { mode: 'inline', locale: 'zh-Hant-TW', theme: 'dark' };
const savedAt = '2026-11-20T12:34:56.789Z';
const snapshot = {
  step: 'background',
  index: 3,
  count: 6,
  dirty: true,
  savedAt,
  states: [{ state: 'TX', status: 'requires_action' }],
};
const actionUrl = 'https://apply.example:8443/requests/TX?id=Az09-_x&lang=en#papers';
const applicationUrl = 'http://127.0.0.1:5172/start/Az09-_x';
const page = (type: string, payload: object) => ({ type, seq: 1, payload });

/**
 * A valid message of every kind, with every field that it can have. Keys as in the published
 * schema.
 */
export const samples: Record<string, object> = {
  'handshake.hello': { ns, t: 'hello', v: [1], doc },
  'handshake.welcome': {
    ns,
    t: 'welcome',
    v: 1,
    doc,
    init: { channel: '01234567-89ab-4cde-8f01-23456789abcd', ...appearance },
  },
  'handshake.reject': { ns, t: 'reject', v: [1], doc },
  'page.ready': page('ready', snapshot),
  'page.progress': page('progress', snapshot),
  'page.submitted': page('submitted', snapshot),
  'page.resize': page('resize', { height: 640 }),
  'page.scrollTo': page('scrollTo', { top: 0 }),
  'page.dirty': page('dirty', { dirty: false }),
  'page.requiresAction': page('requiresAction', { state: 'CA', actionUrl }),
  'page.sessionExpiring': page('sessionExpiring', { inSeconds: 300 }),
  'page.closeRequest': page('closeRequest', { by: 'escape' }),
  'page.error': page('error', { code: 'save_failed', recoverable: true }),
  'element.configure': { type: 'configure', payload: appearance },
  'element.confirmClose': { type: 'confirmClose', payload: {} },
  'element.navigateBack': { type: 'navigateBack', payload: {} },
  'element.session': { type: 'session', payload: { expiresAt: savedAt, applicationUrl } },
  'answer.configure': {},
  'answer.confirmClose': { dirty: true, savedAt },
  'answer.navigateBack': { moved: true },
  'answer.session': { taken: true },
};

/** The schema of each kind of message. */
export const schemas: Record<string, Schema> = {
  'handshake.hello': helloSchema,
  'handshake.welcome': welcomeSchema,
  'handshake.reject': rejectSchema,
  ...prefixed('page', pageSchemas),
  ...prefixed('element', elementSchemas),
  ...prefixed('answer', answerSchemas),
};

function prefixed<Value>(prefix: string, values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** The path of one value inside a message. */
export type Path = readonly (string | number)[];

/** The paths of all values of a message that are not objects, and of all objects. */
export function pathsIn(value: unknown, path: Path = []): { leaves: Path[]; objects: Path[] } {
  if (typeof value !== 'object' || value === null) return { leaves: [path], objects: [] };
  const found: { leaves: Path[]; objects: Path[] } = { leaves: [], objects: [path] };
  for (const [key, inner] of Object.entries(value)) {
    const deeper = pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    found.leaves.push(...deeper.leaves);
    found.objects.push(...deeper.objects);
  }
  return found;
}

/** A copy of a message with one other value. */
export function withValueAt(message: object, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = structuredClone(message) as Record<string | number, unknown>;
  // Defined instead of assigned, because `__proto__` is an ordinary key in a structured clone.
  Object.defineProperty(copy, key, {
    value: rest.length === 0 ? value : withValueAt(copy[key] as object, rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** The value at a path of a message. */
export function valueAt(message: object, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], message);
}
