import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Mode } from '../../../contract/index.js';

/**
 * The purposes of the keys that are derived from the bridge's secret key. One key per purpose, so
 * that a leaked key affects only its purpose.
 */
export type KeyPurpose =
  'client-secret' | 'token' | 'link' | 'encryption' | 'rate-bucket' | 'ssn-lookup' | 'search' | 'shown' | 'mail-code';

/**
 * The bridge's cryptography: one ring of keys for live mode, and one for test mode. They are the
 * same ring unless test mode has a separate key (`BRIDGE_TEST_SECRET_KEY`). Then neither key reads
 * or signs anything of the other mode: a leaked key of a test instance reveals no data of a person.
 */
export interface Keys {
  /**
   * The keys of a mode. Data of no mode, such as operators, addresses and forms, uses those of live
   * mode.
   */
  of(mode: Mode): KeyRing;
}

/**
 * The newest key and older ones. Hashes and encrypted texts use the newest key and contain its id;
 * those of older keys can still be read.
 */
export interface KeyRing {
  /**
   * The id of the newest key, 6 bytes: every hash begins with it, and every encrypted text contains
   * it.
   */
  readonly newestId: Buffer;
  /** The ids of all keys, newest first. */
  readonly ids: readonly Buffer[];
  /**
   * A keyed hash of a text, for one purpose: the id of the newest key, then HMAC-SHA-256 (38 bytes
   * together).
   */
  mac(purpose: KeyPurpose, text: string): Buffer;
  /** The hash with every key, newest first: one of them is the stored one. */
  macs(purpose: KeyPurpose, text: string): Buffer[];
  /**
   * Encrypts a secret of a user with the newest key (AES-256-GCM). `associatedData` is the row and
   * column: moved to another row, the text cannot be decrypted.
   */
  encrypt(plain: string, associatedData: string): string;
  /**
   * Whether the key of a text of {@link KeyRing.encrypt} is available. Without its key a text is lost.
   */
  canDecrypt(encrypted: string): boolean;
  /**
   * Decrypts a text of {@link KeyRing.encrypt}. @throws Error when the text was changed or moved, or
   * its key is missing.
   */
  decrypt(encrypted: string, associatedData: string): string;
}

/** A text is encrypted with a key that is not in the ring of its mode. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/** Six bytes are enough to distinguish keys, and reveal nothing about the key. */
const keyIdBytes = 6;

/** Keys of 32 bytes, newest first. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

/**
 * Creates the rings of both modes.
 *
 * @param test The keys of test mode. Default: those of live mode.
 */
export function createKeys(live: SecretKeys, test?: SecretKeys): Keys {
  const liveRing = createKeyRing(live);
  const rings = { live: liveRing, test: test === undefined ? liveRing : createKeyRing(test) };
  return { of: (mode) => rings[mode] };
}

/** The id of the newest key of each mode. */
export function newestIds(keys: Keys): Record<Mode, Buffer> {
  return { live: keys.of('live').newestId, test: keys.of('test').newestId };
}

/** Derives the keys of all purposes from each secret key. */
function createKeyRing([secretKey, ...oldSecretKeys]: SecretKeys): KeyRing {
  const newest = deriveKeys(secretKey);
  const all = [newest, ...oldSecretKeys.map(deriveKeys)];
  const mac = ({ id, keyFor }: DerivedKeys, purpose: KeyPurpose, text: string) =>
    Buffer.concat([id, createHmac('sha256', keyFor(purpose)).update(text).digest()]);
  const keysOf = (encrypted: string) => all.find(({ id }) => encrypted.startsWith(encryptedPrefix(id)));
  return {
    newestId: newest.id,
    ids: all.map(({ id }) => id),
    mac: (purpose, text) => mac(newest, purpose, text),
    macs: (purpose, text) => all.map((keys) => mac(keys, purpose, text)),
    encrypt(plain, associatedData) {
      // A random 96-bit nonce for each message (NIST SP 800-38D), which is safe far beyond the
      // bridge's number of messages.
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.keyFor('encryption'), nonce).setAAD(
        Buffer.from(associatedData),
      );
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return encryptedPrefix(newest.id) + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    canDecrypt: (encrypted) => keysOf(encrypted) !== undefined,
    decrypt(encrypted, associatedData) {
      const keys = keysOf(encrypted);
      if (keys === undefined) throw new UnknownKeyError('The key of an encrypted text is missing.');
      const bytes = Buffer.from(encrypted.slice(encryptedPrefix(keys.id).length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keys.keyFor('encryption'), bytes.subarray(0, 12)).setAAD(
        Buffer.from(associatedData),
      );
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/**
 * The prefix of texts that were encrypted with this key: `v1.<key>.`, followed by nonce, tag and
 * body.
 */
export function encryptedPrefix(keyId: Buffer): string {
  return `v1.${keyId.toString('base64url')}.`;
}

/** The 256 bits of a keyed hash after the id of its key, as 43 characters of base64url. */
export function tokenOf(mac: Buffer): string {
  return mac.subarray(keyIdBytes).toString('base64url');
}

/** Whether a text has the form of {@link tokenOf}. */
export function isLinkToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

interface DerivedKeys {
  id: Buffer;
  keyFor(purpose: KeyPurpose): KeyObject;
}

function deriveKeys(secretKey: Buffer): DerivedKeys {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `licensing-bridge:${purpose}:1`, bytes));
  // As key objects, because Node parses raw bytes on each call, which takes as long as the hash.
  const derived = new Map<KeyPurpose, KeyObject>();
  return {
    id: derive('key-id', keyIdBytes),
    keyFor(purpose) {
      const key = derived.get(purpose) ?? createSecretKey(derive(purpose, 32));
      derived.set(purpose, key);
      return key;
    },
  };
}

/** A 256-bit random value as 43 characters of base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A random id: a prefix for its kind, such as `app_`, and 128 bits. */
export function randomId(prefix: string): string {
  if (unused.length < idBytes) unused = randomBytes(256 * idBytes);
  const bytes = unused.subarray(0, idBytes);
  unused = unused.subarray(idBytes);
  return `${prefix}_${bytes.toString('base64url')}`;
}

const idBytes = 16;

/**
 * Read for many ids at a time, because the system takes as long for 16 bytes as for some thousand.
 */
let unused = Buffer.alloc(0);

/** SHA-256 of a token that is itself 256-bit random: no key or salt is needed against guessing. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether two hashes are the same, in constant time. */
export function sameHash(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The links of the hosted application. Their 256-bit tokens are derived from ids with the bridge's
 * key and never stored, so a repeated Idempotency-Key returns the same URL, and a copy of the
 * database gives no access.
 *
 * The database stores the hash of the token and the id of its key, so that a link stays the same
 * when the bridge gets a new key.
 */
export interface Links {
  /** The token of a session, whose `link_hash` is given. */
  applicationToken(session: LinkedSession, linkHash: Buffer): string;
  /** `{apply_url}/s/{token}` of that session. */
  applicationUrl(session: LinkedSession, linkHash: Buffer): string;
  /**
   * `{apply_url}/a/{token}` of one request for action, whose `action_hash` is given; null when it
   * is no longer open.
   */
  actionUrl(action: LinkedAction, actionHash: Buffer | null): string;
  /** `{apply_url}/p/{paymentId}/{token}`: the return URL for the processor's page. */
  paymentReturnUrl(mode: Mode, paymentId: string): string;
  /** Whether a token belongs to the return URL of a payment. */
  isPaymentReturn(mode: Mode, paymentId: string, token: string): boolean;
  /**
   * `{apply_url}/test-processor/{paymentId}/{token}`: the simulated page of 3-D Secure. Its token
   * differs from the one of the return URL, to which the page leads.
   */
  challengeUrl(paymentId: string): string;
  /** Whether a token belongs to the simulated page of a payment. */
  isChallenge(paymentId: string, token: string): boolean;
  /** The `application.link_hash` of a new session. */
  applicationLinkHash(session: LinkedSession): Buffer;
  /** The `application_state.action_hash` of a new request. */
  actionLinkHash(action: LinkedAction): Buffer;
}

/** A session of an application. */
export interface LinkedSession {
  mode: Mode;
  sessionId: string;
}

/** One request for action. */
export interface LinkedAction {
  mode: Mode;
  applicationId: string;
  state: string;
  /** The number of the state's request. */
  serial: number;
  /** How often the links of the application were revoked. */
  linkNumber: number;
}

/** Creates links below `applyUrl`, the origin of the hosted application. */
export function createLinks(keys: Keys, applyUrl: string): Links {
  const ofSession = (sessionId: string) => `session:${sessionId}`;
  const ofAction = ({ applicationId, state, serial, linkNumber }: LinkedAction) =>
    `action:${applicationId}:${state}:${serial}:${linkNumber}`;
  const ofPayment = (paymentId: string) => `payment:${paymentId}`;
  const ofChallenge = (paymentId: string) => `challenge:${paymentId}`;
  const newToken = (mode: Mode, text: string) => tokenOf(keys.of(mode).mac('link', text));
  const isTokenFor = (mode: Mode, text: string, token: string) =>
    keys
      .of(mode)
      .macs('link', text)
      .some((mac) => sameHash(hashToken(tokenOf(mac)), hashToken(token)));
  // When the key is missing, because an old one was removed too soon, this returns a link of the
  // newest key: it works after `keys re-encrypt --links renew` has stored its hash.
  const tokenFor = (mode: Mode, text: string, hash: Buffer | null) =>
    keys
      .of(mode)
      .macs('link', text)
      .map(tokenOf)
      .find((token) => hash?.equals(hashToken(token))) ?? newToken(mode, text);
  const applicationToken = ({ mode, sessionId }: LinkedSession, linkHash: Buffer) =>
    tokenFor(mode, ofSession(sessionId), linkHash);
  return {
    applicationToken,
    applicationUrl: (session, linkHash) => `${applyUrl}/s/${applicationToken(session, linkHash)}`,
    actionUrl: (action, actionHash) => `${applyUrl}/a/${tokenFor(action.mode, ofAction(action), actionHash)}`,
    paymentReturnUrl: (mode, paymentId) => `${applyUrl}/p/${paymentId}/${newToken(mode, ofPayment(paymentId))}`,
    isPaymentReturn: (mode, paymentId, token) => isTokenFor(mode, ofPayment(paymentId), token),
    challengeUrl: (paymentId) => `${applyUrl}/test-processor/${paymentId}/${newToken('test', ofChallenge(paymentId))}`,
    isChallenge: (paymentId, token) => isTokenFor('test', ofChallenge(paymentId), token),
    applicationLinkHash: ({ mode, sessionId }) => hashToken(newToken(mode, ofSession(sessionId))),
    actionLinkHash: (action) => hashToken(newToken(action.mode, ofAction(action))),
  };
}
