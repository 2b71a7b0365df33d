/**
 * Text that the bridge can store. PostgreSQL refuses NUL in text, and NUL and unpaired surrogates
 * in JSON. Each listener refuses such input before its handlers, so that no query fails with it.
 */
import { isUtf8 } from 'node:buffer';

/** A request has text that cannot be stored. No browser sends one from a page of the bridge. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
}

/** @throws UnstorableTextError for text with NUL or half a character. */
export function assertStorable(text: string): void {
  if (!isStorable(text)) throw unstorable();
}

/**
 * Checks percent-encoded text: a URL, or the body of a form. Bytes that are not UTF-8, such as an
 * encoded surrogate, would otherwise be decoded to another text than was sent.
 *
 * @throws UnstorableTextError
 */
export function assertStorableEncoded(encoded: string): void {
  assertStorable(encoded);
  for (const [run] of encoded.matchAll(/(?:%[\da-f]{2})+/gi)) {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    if (bytes.includes(0) || !isUtf8(bytes)) throw unstorable();
  }
}

/** The path to the first text in a JSON value that cannot be stored; `undefined` without one. */
export function findUnstorable(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    // Without the key itself, which is the text that cannot be stored.
    if (!isStorable(key)) return path;
    const found = findUnstorable(part, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

function unstorable(): UnstorableTextError {
  return new UnstorableTextError('The request has a text that cannot be stored.');
}
