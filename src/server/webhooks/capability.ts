/**
 * The capability in a webhook address: `{version}.{reference}.{expiry}.{mac}`, where `mac` is an HMAC-SHA-256 over the rest.
 * The service signs nothing, so whoever knows the address may knock; nobody can make one, and what it is about is the
 * application that the reference was made for, whatever the body says.
 */
const version = 'v1';
/** The last character has two bits that say nothing: only one spelling of a signature is ours, the one that is remembered. */
const tokenShape = /^v1\.([\w-]{22})\.(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;
const domain = 'licensing-apply/webhook';

/** Departments may take weeks: the address outlives every application that is still being decided. */
const lifetimeSeconds = 180 * 24 * 60 * 60;

/** Of so many addresses it is remembered that they are good: what the platform takes for an HMAC is half of what a webhook costs. */
const maxRemembered = 10_000;

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
  // By what was signed.
  const good = new Map<string, string>();

  function remember(signed: string, mac: string): void {
    good.set(signed, mac);
    const [oldest] = good.keys();
    if (good.size > maxRemembered && oldest !== undefined) good.delete(oldest);
  }

  async function isOurs(signed: string, mac: string): Promise<boolean> {
    const known = good.get(signed);
    if (known !== undefined) return isSame(known, mac);
    const bytes = fromBase64Url(mac);
    for (const key of await keys()) {
      // `verify` compares in constant time; comparing texts would tell a prober how much was right.
      if (!(await crypto.subtle.verify('HMAC', key, bytes, bytesOf(signed)))) continue;
      // Only what is good, so that no number of guesses pushes it out.
      remember(signed, mac);
      return true;
    }
    return false;
  }

  return {
    async issue(now) {
      const [key] = await keys();
      if (!key) throw new TypeError('secret must not be an empty list.');
      const reference = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      const expiry = Math.floor(now / 1_000) + lifetimeSeconds;
      const signed = signedText(reference, String(expiry));
      const mac = toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(signed))));
      remember(signed, mac);
      return { reference, token: `${version}.${reference}.${String(expiry)}.${mac}` };
    },
    async verify(token, now) {
      const [, reference, expiry, mac] = tokenShape.exec(token) ?? [];
      if (reference === undefined || expiry === undefined || mac === undefined) return undefined;
      if (!(await isOurs(signedText(reference, expiry), mac))) return undefined;
      return Number(expiry) * 1_000 > now ? reference : undefined;
    },
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign', 'verify']);
}

/** The purpose is signed too: the partner may use the same secret elsewhere. */
function signedText(reference: string, expiry: string): string {
  return [domain, version, reference, expiry].join('|');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** In constant time: it looks at every character, whichever is wrong. Both have the length that the shape of a token demands. */
function isSame(known: string, given: string): boolean {
  let difference = 0;
  for (let index = 0; index < known.length; index += 1) difference |= known.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
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
