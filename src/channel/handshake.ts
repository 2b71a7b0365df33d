import { literal, type InferOutput } from 'valibot';
import { appearance, documentId, integer, list, record, text } from './values.js';

/** The versions of the protocol that this build speaks, newest last. */
export const protocolVersions = [1] as const;

/** What every message between the two windows carries as `ns`. */
export const namespace = 'licensing-apply';

const ns = literal(namespace);
const versions = list(integer(1, 999), 1, 20);

// These three shapes are frozen for all versions: they are how two ends of different age find out what they have in common.

/** The page introduces its document and the versions that it speaks. */
export const helloSchema = record({ ns, t: literal('hello'), v: versions, doc: documentId });

/** The element takes the document in, and hands over one end of a port. */
export const welcomeSchema = record({
  ns,
  t: literal('welcome'),
  v: integer(1, 999),
  doc: documentId,
  init: record({ channel: text(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/), ...appearance }),
});

/** The element speaks none of the page's versions, only these. */
export const rejectSchema = record({ ns, t: literal('reject'), v: versions, doc: documentId });

/** {@link helloSchema} */
export type Hello = InferOutput<typeof helloSchema>;

/** {@link welcomeSchema} */
export type Welcome = InferOutput<typeof welcomeSchema>;

/** {@link rejectSchema} */
export type Reject = InferOutput<typeof rejectSchema>;
