import type { FromSchema } from './schema.js';
import { documentId, integer, record } from './values.js';

/** The versions of the protocol that this build speaks, newest last. */
export const protocolVersions = [1] as const;

/** What every message between the two windows carries as `ns`. */
export const namespace = 'licensing-apply';

/** One version. */
export const version = integer(1, 999);

/** A list of versions. */
export const versions = { type: 'array', items: version, minItems: 1, maxItems: 20 } as const;

// This shape and those of `hello-answers.ts` are frozen for all versions: they are how two ends of different age find out what
// they have in common.

/** The page introduces its document and the versions that it speaks. */
export const helloSchema = record({ ns: { const: namespace }, t: { const: 'hello' }, v: versions, doc: documentId });

/** {@link helloSchema} */
export type Hello = FromSchema<typeof helloSchema>;
