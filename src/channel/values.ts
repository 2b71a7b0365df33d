/**
 * The values that messages are made of. None of them has room for a social security number or for an answer: words come
 * from fixed lists, whole numbers have fewer than nine digits, texts have patterns that are bounded in length.
 */
import { stateNames } from '../contract/index.js';
import type { Schema } from './schema.js';

/** An object with exactly these fields. */
export function record<
  const Properties extends Readonly<Record<string, Schema>>,
  const Optional extends keyof Properties = never,
>(properties: Properties, optional: readonly Optional[] = []) {
  type Required = Exclude<keyof Properties, Optional>;
  const required = Object.keys(properties).filter(
    (key) => !(optional as readonly string[]).includes(key),
  ) as (Required & string)[];
  return { type: 'object', properties, required } as const;
}

/** A whole number between two bounds. */
export function integer(minimum: number, maximum: number) {
  return { type: 'integer', minimum, maximum } as const;
}

/** A text of one pattern, which is read as Unicode and has no other flags: JSON Schema knows none. */
export function text(pattern: RegExp) {
  return { type: 'string', pattern: pattern.source } as const;
}

/** Yes or no. */
export const boolean = { type: 'boolean' } as const;

/** One of the states that there are. */
export const stateCode = { enum: Object.keys(stateNames) } as const;

/** A moment of this century, ISO 8601 in UTC. */
export const moment = text(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z$/u);

/** A link to a page of the hosted application: `/s/…` or `/a/…`. The pattern ends with the token: no query, nothing typed. */
export function linkTo(path: 's' | 'a') {
  return text(
    new RegExp(`^https?://([a-z\\d.\\-]{1,253}|\\[[a-f\\d:]{2,39}\\])(:\\d{1,5})?/${path}/[\\w\\-]{43}$`, 'u'),
  );
}

/** Id of a document. Letters only: no number can be read out of it. */
export const documentId = text(/^[a-p]{32}$/u);

const stateOf = record({
  state: stateCode,
  status: { enum: ['pending_review', 'approved', 'denied', 'requires_action'] },
});

/** Everything that the page tells about an application. */
export const snapshot = record(
  {
    step: {
      enum: ['not_started', 'profile', 'identity', 'background', 'disclosures', 'payment', 'review', 'submitted'],
    },
    index: integer(0, 20),
    count: integer(1, 20),
    dirty: boolean,
    savedAt: moment,
    states: { type: 'array', items: stateOf, minItems: 0, maxItems: 56 },
  },
  ['savedAt'],
);
