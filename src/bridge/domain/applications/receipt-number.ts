import { createHash } from 'node:crypto';

/** Letters and digits without those that are mistaken for each other on the phone or in print, such as O and 0. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The short number of an application, for a receipt and the phone, such as `4F7K-22QP`. Made of the id, which it does not tell, and no
 * key: it opens nothing.
 */
export function receiptNumberOf(applicationId: string): string {
  const bytes = createHash('sha256').update(`receipt:${applicationId}`).digest();
  const letters = Array.from(bytes.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
