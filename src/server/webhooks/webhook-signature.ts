import { HttpError } from '../http/reply.js';

/**
 * Checks the signature of a webhook (Standard Webhooks, `v1`).
 *
 * @throws {@link HttpError} `webhook_refused` when it is missing, wrong or old.
 */
export type SignatureVerifier = (headers: Headers, body: Uint8Array<ArrayBuffer>, nowMs: number) => Promise<void>;

/** What is older may be a recording. Clocks differ by less. */
const toleranceSeconds = 300;
/** Those of two secrets, while a sender rotates them, and some more. */
const maxSignatures = 8;

/**
 * Creates the check for one secret, or for several while they are being rotated.
 *
 * @throws TypeError when a secret is none.
 */
export function createSignatureVerifier(secret: string | readonly string[]): SignatureVerifier {
  const secrets = [secret].flat().map(parseSecret);
  if (secrets.length === 0) throw new TypeError(expectation);
  let imported: Promise<CryptoKey[]> | undefined;
  const keys = () => (imported ??= Promise.all(secrets.map(importKey)));

  return async function verifySignature(headers, body, nowMs) {
    const [id, timestamp, list] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headers.get(name),
    );
    if (!id || !timestamp || !list) throw refused('it is not signed');
    if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
      throw refused('its timestamp is more than five minutes off');
    }
    const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    const signatures = list.split(' ').filter((each) => each.startsWith('v1,'));
    for (const signature of signatures.slice(0, maxSignatures)) {
      const bytes = decodeBase64(signature.slice(3));
      // In constant time: `verify` of the platform compares so.
      for (const key of await keys()) if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return;
    }
    throw refused('its signature is wrong');
  };
}

const expectation = 'webhookSecret must be a secret of the bridge, such as "whsec_…".';

function parseSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' && secret.startsWith('whsec_') ? decodeBase64(secret.slice(6)) : undefined;
  // Standard Webhooks: from 24 to 64 bytes. The value itself is not repeated in the message.
  if (!bytes || bytes.length < 24 || bytes.length > 64) throw new TypeError(expectation);
  return bytes;
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function refused(reason: string): HttpError {
  return new HttpError('webhook_refused', {}, `The webhook is refused: ${reason}.`);
}
