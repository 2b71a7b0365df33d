/**
 * The capability in a webhook address: `{version}.{reference}.{expiry}.{mac}`, where `mac` is an HMAC-SHA-256 over the rest.
 * The service signs nothing, so whoever knows the address may knock; nobody can make one, and what it is about is the
 * application that the reference was made for, whatever the body says.
 */
const version = 'v1';
const tokenShape = /^v1\.([\w-]{22})\.(\d{1,12})\.[\w-]{43}$/;
const domain = 'licensing-apply/webhook';

/** How long an address is good. Departments may take weeks: it outlives every application that is still being decided. */
export const capabilityLifetimeSeconds = 180 * 24 * 60 * 60;

/** Of so many addresses it is remembered that they are good: what the platform takes for an HMAC is half of what a webhook costs. */
const maxRemembered = 10_000;

/** Makes and verifies the capabilities of one handler. */
export interface Capabilities {
  /** A new reference and the token for it, signed with the first secret. */
  issue(now: number): Promise<{ reference: string; token: string }>;
  /**
   * The reference of a token that any of the secrets signed and that has not expired; `undefined` otherwise. A promise only for
   * an address that is not remembered.
   */
  verify(token: string, now: number): string | undefined | Promise<string | undefined>;
}

/** Makes the capabilities of these secrets. The first one signs, all verify: so that secrets can be rotated. */
export function createCapabilities(secrets: readonly [string, ...string[]]): Capabilities {
  let imported: Promise<CryptoKey[]> | undefined;
  const keys = () => (imported ??= Promise.all(secrets.map(importKey)));
  // By reference.
  const good = new Map<string, string>();

  function remember(reference: string, token: string): void {
    good.set(reference, token);
    const [oldest] = good.size > maxRemembered ? good.keys() : [];
    if (oldest !== undefined) good.delete(oldest);
  }

  async function isSigned(token: string): Promise<boolean> {
    const [, reference, expiry] = tokenShape.exec(token) ?? [];
    if (reference === undefined || expiry === undefined) return false;
    for (const key of await keys()) {
      if (!isSame(await sign(key, reference, expiry), token)) continue;
      // Only what is good, so that no number of guesses pushes it out.
      remember(reference, token);
      return true;
    }
    return false;
  }

  return {
    async issue(now) {
      const [key] = (await keys()) as [CryptoKey];
      const reference = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
      const token = await sign(key, reference, String(Math.floor(now / 1_000) + capabilityLifetimeSeconds));
      remember(reference, token);
      return { reference, token };
    },
    verify(token, now) {
      // Where every token that we made has its parts.
      const [reference, expiry] = [token.slice(3, 25), token.slice(26, -44)];
      const referenceIf = (isOurs: boolean) => (isOurs && Number(expiry) * 1_000 > now ? reference : undefined);
      const known = good.get(reference);
      return known !== undefined && isSame(known, token) ? referenceIf(true) : isSigned(token).then(referenceIf);
    },
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** The token of a reference. Its purpose is signed too: the partner may use the same secret elsewhere. */
async function sign(key: CryptoKey, reference: string, expiry: string): Promise<string> {
  const signed = bytesOf([domain, version, reference, expiry].join('|'));
  const mac = toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)));
  return [version, reference, expiry, mac].join('.');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** In constant time: it looks at every character, whichever is wrong. Less would tell a prober how much was right. */
function isSame(known: string, given: string): boolean {
  let difference = known.length ^ given.length;
  for (let index = 0; index < known.length; index += 1) difference |= known.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
}

/** Bytes as a text that can stand in an address. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
