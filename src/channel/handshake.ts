/*
 * The handshake, between the two windows. `element-end.ts` and `page-end.ts` are its two sides.
 *
 * 1. The page sends hello: the versions that it supports and the id of its document. It repeats
 *    this until it is answered.
 * 2. The element checks the hello: source, shape, origin, document.
 * 3. The element welcomes the document: it creates a port for it, closes the port of the previous
 *    document, which rejects the calls in flight, and posts the welcome with the other side of the
 *    port to the exact origin. Without a common version it rejects the document instead and names
 *    its own versions.
 * 4. The page checks the answer: source, shape, origin, document.
 * 5. Both open a link on the port. From here on the windows exchange nothing; the next document
 *    starts again at 1.
 */
import { checkBounds } from './bounds.js';
import type { RejectionReason } from './messages.js';
import { check, type Infer, type Schema } from './schema.js';
import { namespace } from './schemas.js';

/** The versions of the protocol that this build supports, newest last. */
export const protocolVersions = [1] as const;

/** Whether a value is an object whose fields can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Whether a message comes from this window; the browser guarantees it. Both ends ignore all other
 * messages without a report: any window can post to them, and a page sends its hello to all
 * elements of the embedding page, of which only one has opened it.
 */
export function isFrom(event: MessageEvent, source: Window | null): boolean {
  // A script can dispatch an event with any source, any origin, and data that has getters.
  return event.isTrusted && source !== null && event.source === source;
}

/**
 * Checks a message of the handshake, which one of the schemas must accept. Returns its content, or
 * the reason to refuse it.
 */
export function readMessage<Schemas extends readonly Schema[]>(
  data: unknown,
  ...schemas: Schemas
): { message: Infer<Schemas[number]> } | { reason: RejectionReason } {
  if (isRecord(data) && data.ns !== namespace) return { reason: 'channel' };
  const excess = checkBounds(data);
  if (excess) return { reason: excess };
  const accepted = schemas.map((schema) => check(schema, data)).find(({ path }) => path === undefined);
  return accepted ? { message: accepted.value as Infer<Schemas[number]> } : { reason: 'schema' };
}

/**
 * Whether a message is the report of the return script, which shares our namespace and is checked
 * by the element itself.
 */
export function isReturn(data: unknown): data is Record<string, unknown> {
  return isRecord(data) && data.ns === namespace && data.t === 'return';
}
