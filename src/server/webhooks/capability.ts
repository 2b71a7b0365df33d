/**
 * The capability in a webhook address: `{version}.{reference}.{expiry}.{mac}`, where `mac` is an HMAC-SHA-256 over the rest.
 * The service signs nothing, so whoever knows the address may knock; nobody can make one, and what it is about is the
 * application that the reference was made for, whatever the body says.
 */
const version = 'v1';
const tokenShape = /^v1\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;
const domain = 'licensing-apply/webhook';

/** Departments may take weeks: the address outlives every application that is still being decided. */
const lifetimeSeconds = 180 * 24 * 60 * 60;

/** Makes and verifies the capabilities of one handler. */
export interface Capabilities {
  /** A new reference and the token for it, signed with the first secret. */
  issue(now: number): Promise<{ reference: string; token: string }>;
  /** The reference of a token that any of the secrets signed and that has not expired; `undefined` otherwise. */
  verify(token: string, now: number): Promise<string | undefined>;
}

/** Makes the capabilities of these secrets. The first one signs, all verify: so that secrets can be rotated. */
export function createCapabilities(secrets: readonly string[]): Capabilities {
  let imported: Promise<CryptoKey[]> | undefined;
  const keys = () => (imported ??= Promise.all(secrets.map(importKey)));

  return {
    async issue(now) {
      const [key] = await keys();
      if (!key) throw new TypeError('secret must not be an empty list.');
      const reference = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      const expiry = Math.floor(now / 1_000) + lifetimeSeconds;
      const mac = await crypto.subtle.sign('HMAC', key, signedBytes(reference, String(expiry)));
      return { reference, token: `${version}.${reference}.${String(expiry)}.${toBase64Url(new Uint8Array(mac))}` };
    },
    async verify(token, now) {
      const [, reference, expiry, mac] = tokenShape.exec(token) ?? [];
      if (reference === undefined || expiry === undefined || mac === undefined) return undefined;
      const bytes = fromBase64Url(mac);
      for (const key of await keys()) {
        // `verify` compares in constant time; comparing texts would tell a prober how much was right.
        const isOurs = await crypto.subtle.verify('HMAC', key, bytes, signedBytes(reference, expiry));
        if (isOurs) return Number(expiry) * 1_000 > now ? reference : undefined;
      }
      return undefined;
    },
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign', 'verify']);
}

/** The purpose is signed too: the partner may use the same secret elsewhere. */
function signedBytes(reference: string, expiry: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode([domain, version, reference, expiry].join('|'));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
