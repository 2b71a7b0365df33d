import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { clientSecret } from '../support/client.js';

/** A synthetic SSN, as in the demo's registry. */
export const ssn = '900-11-0042';
/** What must not be seen, however it is written. */
const hidden = new RegExp(`9\\D*0\\D*0\\D*1\\D*1\\D*0\\D*0\\D*4\\D*2|${clientSecret}|token-1`, 'i');

/** All that is to be kept, said aloud. */
export const indiscretion = `Bearer token-1 ${clientSecret} ${ssn} ${ssn.replaceAll('-', '')}`;

/**
 * Fails if something thrown or logged shows a secret in any of the ways in which things are
 * printed.
 */
export function assertDiscreet(thrown: unknown, entries: readonly unknown[] = []): void {
  const wrapped = new Error('Licensing failed.', { cause: thrown });
  const error = thrown instanceof Error ? thrown : new Error('Nothing was thrown.');
  const texts = [
    String(thrown),
    error.stack ?? '',
    JSON.stringify({ thrown }),
    JSON.stringify(Object.getOwnPropertyDescriptors(error)),
    inspect(thrown, { depth: null, showHidden: true, getters: true }),
    inspect({ list: [wrapped] }, { depth: null, showHidden: true }),
    inspect(entries, { depth: null, showHidden: true }),
    JSON.stringify(entries),
  ];
  for (const text of texts) assert.doesNotMatch(text, hidden);
}
