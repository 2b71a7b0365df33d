/**
 * The values that messages are made of. None of them has room for a social security number or for an answer: words come
 * from fixed lists, whole numbers have fewer than nine digits, texts have patterns that are bounded in length.
 */
import { array, boolean, custom, literal, optional, refine, strictObject, type ZodMiniType } from 'zod/mini';

/**
 * What our own checks mean in JSON Schema, for the published protocol. The checks of zod would know it themselves, but weigh
 * 0.9 kB more on every partner's page.
 */
export const constraints = new WeakMap<object, object>();

/** A whole number between two bounds. */
export const integer = (minimum: number, maximum: number) =>
  constrained(
    custom<number>((value) => Number.isInteger(value) && value >= minimum && value <= maximum),
    { type: 'integer', minimum, maximum },
  );

/** A text of one pattern, which has no flags. */
export const text = (pattern: RegExp) =>
  constrained(
    custom<string>((value) => typeof value === 'string' && pattern.test(value)),
    { type: 'string', pattern: pattern.source },
  );

/** A list of bounded length. */
export const list = <Item extends ZodMiniType>(item: Item, minItems: number, maxItems: number) =>
  constrained(array(item).check(refine(({ length }) => length >= minItems && length <= maxItems)), {
    minItems,
    maxItems,
  });

function constrained<Schema extends object>(schema: Schema, constraint: object): Schema {
  constraints.set(schema, constraint);
  return schema;
}

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
  mode: literal(['modal', 'inline', 'popup', 'redirect']),
  locale: text(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/),
  theme: literal(['auto', 'light', 'dark']),
};

/** Everything that the page tells about an application. */
export const snapshot = strictObject({
  step: literal(['not_started', 'profile', 'identity', 'background', 'disclosures', 'payment', 'review', 'submitted']),
  index: integer(0, 20),
  count: integer(1, 20),
  dirty: boolean(),
  savedAt: optional(moment),
  states: list(
    strictObject({
      state: stateCode,
      status: literal(['pending_review', 'approved', 'denied', 'requires_action']),
    }),
    0,
    56,
  ),
});
