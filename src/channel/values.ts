/**
 * The values that messages are made of. None of them has room for a social security number or for an answer: words come
 * from fixed lists, whole numbers have fewer than nine digits, texts have patterns that are bounded in length.
 */
import {
  array,
  boolean,
  integer as wholeNumber,
  maxLength,
  maxValue,
  minLength,
  minValue,
  number,
  optional,
  picklist,
  pipe,
  regex,
  strictObject,
  string,
  type GenericSchema,
  type ObjectEntries,
} from 'valibot';

/** What checks one shape. */
export type Schema<Shape> = GenericSchema<unknown, Shape>;

/** An object with exactly these fields. */
export const record = <const Entries extends ObjectEntries>(entries: Entries) =>
  // Without a prototype, or a field named `constructor` would count as known.
  strictObject(Object.assign(Object.create(null) as object, entries));

/** A whole number between two bounds. */
export const integer = (minimum: number, maximum: number) =>
  pipe(number(), wholeNumber(), minValue(minimum), maxValue(maximum));

/** A text of one pattern, which has no flags. */
export const text = (pattern: RegExp) => pipe(string(), regex(pattern));

/** A list of bounded length. */
export const list = <Item extends GenericSchema>(item: Item, minItems: number, maxItems: number) =>
  pipe(array(item), minLength(minItems), maxLength(maxItems));

/** The postal codes of the 50 states, DC, AS, GU, MP, PR and VI. Spelled as a pattern because a list would weigh more. */
export const stateCode = text(
  /^(A[KLRSZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOPST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])$/,
);

/** A moment of this century, ISO 8601 in UTC. */
export const moment = text(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z$/);

/** Id of a document. Letters only: no number can be read out of it. */
export const documentId = text(/^[a-p]{32}$/);

/** How the element shows the page. */
export const appearance = {
  mode: picklist(['modal', 'inline', 'popup', 'redirect']),
  locale: text(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/),
  theme: picklist(['auto', 'light', 'dark']),
};

/** Everything that the page tells about an application. */
export const snapshot = record({
  step: picklist(['not_started', 'profile', 'identity', 'background', 'disclosures', 'payment', 'review', 'submitted']),
  index: integer(0, 20),
  count: integer(1, 20),
  dirty: boolean(),
  savedAt: optional(moment),
  states: list(
    record({
      state: stateCode,
      status: picklist(['pending_review', 'approved', 'denied', 'requires_action']),
    }),
    0,
    56,
  ),
});
