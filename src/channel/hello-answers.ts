import { appearance } from './appearance.js';
import { namespace, version, versions } from './handshake.js';
import type { FromSchema } from './schema.js';
import { documentId, record, text } from './values.js';

/** The element takes the document in, and hands over one end of a port. */
export const welcomeSchema = record({
  ns: { const: namespace },
  t: { const: 'welcome' },
  v: version,
  doc: documentId,
  init: record({ channel: text(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u), ...appearance }),
});

/** The element speaks none of the page's versions, only these. */
export const rejectSchema = record({ ns: { const: namespace }, t: { const: 'reject' }, v: versions, doc: documentId });

/** {@link welcomeSchema} */
export type Welcome = FromSchema<typeof welcomeSchema>;

/** {@link rejectSchema} */
export type Reject = FromSchema<typeof rejectSchema>;
