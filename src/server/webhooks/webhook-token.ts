/*
 * The last part of a webhook URL: `{record id}.{signature}`, where the signature is an HMAC-SHA-256
 * over the id. The service does not sign its webhooks, so the URL is the proof: only the bridge
 * received it, and nobody can make another one. It also says which application the webhook is about,
 * whatever its body says.
 */

/** Creates and verifies the tokens of one handler. */
export interface WebhookTokens {
  /**
   * Returns the id of the record that belongs to a request for a session. The same user and seed
   * always have the same id.
   */
  recordId(userId: string, seed: string): Promise<string>;
  /** Returns the token for a record. */
  create(recordId: string): Promise<string>;
  /** Resolves with the id of the record if one of the secrets signed the token, else `undefined`. */
  verify(token: string): Promise<string | undefined>;
}

const tokenShape = /^([\w-]{22})\.[\w-]{43}$/;
const idLength = 22;

/**
 * Creates the tokens for these secrets. The first one signs and all verify, so that they can be
 * rotated.
 *
 * @throws TypeError when a secret is too short to be one.
 */
export function createWebhookTokens(secret: string | readonly string[]): WebhookTokens {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each.length < 32)) {
    throw new TypeError('secret must be at least 32 random characters: `openssl rand -base64 32`.');
  }
  let imported: Promise<CryptoKey[]> | undefined;
  const keys = () => (imported ??= Promise.all(secrets.map(importKey)));

  async function signWith(key: CryptoKey | undefined, ...parts: string[]): Promise<string> {
    if (!key) throw new Error('There is no key.');
    // The purpose is signed too: the partner may use the same secret elsewhere. JSON keeps the parts apart.
    const bytes = new TextEncoder().encode(JSON.stringify(['licensing-apply', ...parts]));
    return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)));
  }

  const tokenFor = async (key: CryptoKey | undefined, id: string) => `${id}.${await signWith(key, 'webhook', id)}`;

  return {
    async recordId(userId, seed) {
      return (await signWith((await keys())[0], 'record', userId, seed)).slice(0, idLength);
    },
    create: async (id) => tokenFor((await keys())[0], id),
    async verify(token) {
      const id = tokenShape.exec(token)?.[1];
      if (id === undefined) return undefined;
      for (const key of await keys()) if (isEqual(await tokenFor(key, id), token)) return id;
      return undefined;
    },
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
}

/** In constant time: a comparison that stops at the first difference would reveal how much was right. */
function isEqual(known: string, given: string): boolean {
  let difference = known.length ^ given.length;
  for (let index = 0; index < known.length; index += 1) difference |= known.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
}

/** Encodes bytes as base64url without padding (RFC 4648, section 5), which needs no escape in a URL. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
