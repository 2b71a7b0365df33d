import { createHash } from 'node:crypto';

/**
 * Letters and digits without similar ones, such as O and 0, which are confused on the phone or in
 * print.
 */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The short number of an application for its receipt and for phone calls, such as `4F7K-22QP`.
 * Derived from the id, which it does not reveal. It gives no access.
 */
export function receiptNumberOf(applicationId: string): string {
  const bytes = createHash('sha256').update(`receipt:${applicationId}`).digest();
  const letters = Array.from(bytes.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
