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

/** What each key derived from the bridge's secret key is for. One key a purpose: a leak of one opens nothing else. */
export type KeyPurpose = 'client-secret' | 'link' | 'seal' | 'rate-bucket' | 'ssn-lookup';

/**
 * The bridge's cryptography, behind a few verbs. Everything is made with the newest key and names it; what older keys made is
 * still read.
 */
export interface Keys {
  /** The id of the newest key, 6 bytes: every hash begins with it, and every sealed text holds it. */
  readonly newestId: Buffer;
  /** The ids of all keys, the newest first. */
  readonly ids: readonly Buffer[];
  /** A keyed hash of a text, for one purpose: the id of the newest key, then HMAC-SHA-256 (38 bytes together). */
  mac(purpose: KeyPurpose, text: string): Buffer;
  /** The same with every key, the newest first: one of them is what was stored. */
  macs(purpose: KeyPurpose, text: string): Buffer[];
  /**
   * Encrypts a secret of a user with the newest key (AES-256-GCM). `associatedData` names the row and column: moved to another
   * row, it does not open.
   */
  encrypt(plain: string, associatedData: string): string;
  /** Whether the key of what {@link Keys.encrypt} made is there. Where it was lost for good, the text is as good as not there. */
  canDecrypt(sealed: string): boolean;
  /** Decrypts what {@link Keys.encrypt} made. @throws Error when the text was changed or moved, or its key is not there. */
  decrypt(sealed: string, associatedData: string): string;
}

/** A text is sealed with a key that is neither `BRIDGE_SECRET_KEY` nor one of `BRIDGE_OLD_SECRET_KEYS`. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/** Six bytes tell apart more keys than anybody will ever have, and say nothing about the key. */
const keyIdBytes = 6;

/** Derives the keys of all purposes from the 32 bytes of `BRIDGE_SECRET_KEY`, and of each older key, the newest first. */
export function createKeys(secretKey: Buffer, oldSecretKeys: readonly Buffer[] = []): Keys {
  const newest = deriveKeys(secretKey);
  const all = [newest, ...oldSecretKeys.map(deriveKeys)];
  const mac = ({ id, keyFor }: DerivedKeys, purpose: KeyPurpose, text: string) =>
    Buffer.concat([id, createHmac('sha256', keyFor(purpose)).update(text).digest()]);
  const keysOf = (sealed: string) => all.find(({ id }) => sealed.startsWith(sealedPrefix(id)));
  return {
    newestId: newest.id,
    ids: all.map(({ id }) => id),
    mac: (purpose, text) => mac(newest, purpose, text),
    macs: (purpose, text) => all.map((keys) => mac(keys, purpose, text)),
    encrypt(plain, associatedData) {
      // A fresh 96-bit nonce for each message, as NIST SP 800-38D asks; random is safe far beyond our number of messages.
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.keyFor('seal'), nonce).setAAD(Buffer.from(associatedData));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return sealedPrefix(newest.id) + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    canDecrypt: (sealed) => keysOf(sealed) !== undefined,
    decrypt(sealed, associatedData) {
      const keys = keysOf(sealed);
      if (keys === undefined) throw new UnknownKeyError('A text is sealed with a key that is not there.');
      const bytes = Buffer.from(sealed.slice(sealedPrefix(keys.id).length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keys.keyFor('seal'), bytes.subarray(0, 12)).setAAD(
        Buffer.from(associatedData),
      );
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** What every text begins with that the key of this id sealed: `v1.<key>.`, then nonce, tag and body. */
export function sealedPrefix(keyId: Buffer): string {
  return `v1.${keyId.toString('base64url')}.`;
}

/** The 256 bits of a keyed hash behind the id of its key, as 43 characters of base64url. */
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
  // As key objects: Node parses bare bytes each time, which takes as long as the hash.
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

/** A random id with a prefix that says what it is of, such as `app_` and 128 bits. */
export function randomId(prefix: string): string {
  if (unused.length < idBytes) unused = randomBytes(256 * idBytes);
  const bytes = unused.subarray(0, idBytes);
  unused = unused.subarray(idBytes);
  return `${prefix}_${bytes.toString('base64url')}`;
}

const idBytes = 16;

/** Fetched for many ids at a time: the system takes as long for 16 bytes as for some thousand. */
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
 * The capability links of the hosted application. Their 256-bit tokens are derived from ids with the bridge's key and never
 * stored, so a repeated Idempotency-Key answers with the same address and a copy of the database opens nothing.
 *
 * The database stores the hash of the token, and which key the token came from, so that a link stays what it was when
 * the bridge gets a new key.
 */
export interface Links {
  /** `{apply_url}/s/{token}` of a session, whose `link_hash` is given. */
  applicationUrl(sessionId: string, linkHash: Buffer): string;
  /** `{apply_url}/a/{token}` of one request for action, whose `action_hash` is given; null when it is no longer open. */
  actionUrl(action: LinkedAction, actionHash: Buffer | null): string;
  /** `{apply_url}/p/{paymentId}/{token}`: where the processor's page leads back to. */
  paymentReturnUrl(paymentId: string): string;
  /** Whether a token is that of the way back of a payment. */
  isPaymentReturn(paymentId: string, token: string): boolean;
  /** What `application.link_hash` holds for a new session. */
  applicationLinkHash(sessionId: string): Buffer;
  /** What `application_state.action_hash` holds for a new request. */
  actionLinkHash(action: LinkedAction): Buffer;
}

/** One request for action. */
export interface LinkedAction {
  applicationId: string;
  state: string;
  /** Counts the requests of that state. */
  serial: number;
}

/** Makes links below `applyUrl`, the origin of the hosted application. */
export function createLinks(keys: Keys, applyUrl: string): Links {
  const ofSession = (sessionId: string) => `session:${sessionId}`;
  const ofAction = ({ applicationId, state, serial }: LinkedAction) =>
    `action:${applicationId}:${state}:${String(serial)}`;
  const ofPayment = (paymentId: string) => `payment:${paymentId}`;
  const newToken = (text: string) => tokenOf(keys.mac('link', text));
  // When no key fits, because an old one was taken away too soon, the newest one's link stands there: it opens once
  // `keys re-encrypt --links renew` has put its hash in place.
  const tokenFor = (text: string, hash: Buffer | null) =>
    keys
      .macs('link', text)
      .map(tokenOf)
      .find((token) => hash?.equals(hashToken(token))) ?? newToken(text);
  return {
    applicationUrl: (sessionId, linkHash) => `${applyUrl}/s/${tokenFor(ofSession(sessionId), linkHash)}`,
    actionUrl: (action, actionHash) => `${applyUrl}/a/${tokenFor(ofAction(action), actionHash)}`,
    paymentReturnUrl: (paymentId) => `${applyUrl}/p/${paymentId}/${newToken(ofPayment(paymentId))}`,
    isPaymentReturn: (paymentId, token) =>
      keys.macs('link', ofPayment(paymentId)).some((mac) => sameHash(hashToken(tokenOf(mac)), hashToken(token))),
    applicationLinkHash: (sessionId) => hashToken(newToken(ofSession(sessionId))),
    actionLinkHash: (action) => hashToken(newToken(ofAction(action))),
  };
}
