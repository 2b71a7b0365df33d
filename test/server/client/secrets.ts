import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { clientSecret } from '../support/client.js';

/** A synthetic SSN, as in the demo's registry. */
export const ssn = '900-11-0042';
/** The digits of the SSN, with anything between them. */
export const ssnDigits = /9\D*0\D*0\D*1\D*1\D*0\D*0\D*4\D*2/;
/** Matches all secrets in any notation, and the client secret also without its end. */
export const hidden = new RegExp(`${ssnDigits.source}|secret-that-nobody|token-1`, 'i');

/** All secrets in one text. */
export const allSecrets = `Bearer token-1 ${clientSecret} ${ssn} ${ssn.replaceAll('-', '')}`;

/** Fails if an error or log entry shows a secret in any kind of output. */
export function assertNoSecrets(thrown: unknown, entries: readonly unknown[] = []): void {
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
