/*
 * The proof of a webhook.
 *
 * 1. The last part of its URL: `{record id}.{signature}`, where the signature is an HMAC-SHA-256
 *    over the id. Only the bridge received it, and it cannot be forged. It also says which
 *    application the webhook is for. The body does not decide that. For the account, it is
 *    `account.{signature}`, which is no id of a record.
 * 2. Where the bridge signs webhooks, and the partner set `webhookSecret`: its signature (Standard
 *    Webhooks, `v1`).
 */
import { HttpError } from '../http/reply.js';

/** Creates and verifies the tokens of one handler. */
export interface WebhookTokens {
  /**
   * Returns the id of the record that belongs to a request for a session. The same user and seed
   * always have the same id.
   */
  recordId(userId: string, seed: string): Promise<string>;
  /** Returns the token for a record. */
  create(recordId: string): Promise<string>;
  /**
   * Resolves with the id of the record if one of the secrets signed the token, else `undefined`.
   */
  verify(token: string): Promise<string | undefined>;
  /** Returns the token for the account. */
  createForAccount(): Promise<string>;
  /** Whether one of the secrets signed this token for the account. */
  verifyAccount(token: string): Promise<boolean>;
}

/** In place of the id of a record, in the token and for `verifyWebhook`: the webhook URL of the account. */
export const accountId = 'account';

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
  const keys = () => (imported ??= Promise.all(secrets.map((each) => importKey(new TextEncoder().encode(each)))));

  async function signWith(key: CryptoKey | undefined, ...parts: string[]): Promise<string> {
    if (!key) throw new Error('There is no key.');
    // The purpose is signed too: the partner may use the same secret elsewhere. JSON keeps the
    // parts apart.
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
    createForAccount: async () => tokenFor((await keys())[0], accountId),
    async verifyAccount(token) {
      for (const key of await keys()) if (isEqual(await tokenFor(key, accountId), token)) return true;
      return false;
    },
  };
}

function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/**
 * In constant time: a comparison that stops at the first difference would reveal how much was
 * right.
 */
function isEqual(known: string, given: string): boolean {
  let difference = known.length ^ given.length;
  for (let index = 0; index < known.length; index += 1) difference |= known.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
}

/**
 * Encodes bytes as base64url without padding (RFC 4648, section 5), which needs no escape in a URL.
 */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Checks the signature of a webhook.
 *
 * @throws {@link HttpError} `webhook_refused` when it is missing, wrong or old.
 */
export type SignatureVerifier = (headers: Headers, body: Uint8Array<ArrayBuffer>, nowMs: number) => Promise<void>;

/** An older webhook may be a replay. Clocks differ by less. */
const toleranceSeconds = 300;
/** A sender that rotates secrets sends two, and some more are accepted. */
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
    throw refused('its signature is wrong: check `webhookSecret`');
  };
}

const expectation = 'webhookSecret must be a secret of the bridge, such as "whsec_…".';

function parseSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' && secret.startsWith('whsec_') ? decodeBase64(secret.slice(6)) : undefined;
  // Standard Webhooks: from 24 to 64 bytes. The value itself is not repeated in the message.
  if (!bytes || bytes.length < 24 || bytes.length > 64) throw new TypeError(expectation);
  return bytes;
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
  return new HttpError('webhook_refused', {}, reason);
}
