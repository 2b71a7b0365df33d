import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What each key derived from the bridge's secret key is for. One key a purpose: a leak of one opens nothing else. */
export type KeyPurpose = 'client-secret' | 'link' | 'seal' | 'rate-bucket' | 'ssn-lookup';

/** The bridge's cryptography, behind five verbs. */
export interface Keys {
  /** A keyed hash (HMAC-SHA-256, 32 bytes) of a text, for one purpose. */
  mac(purpose: KeyPurpose, text: string): Buffer;
  /**
   * Encrypts a secret of a user (AES-256-GCM). `place` names the row and column: moved to another row, it does not open.
   */
  seal(plain: string, place: string): string;
  /** Decrypts what {@link Keys.seal} made. @throws Error when the text was changed or moved. */
  unseal(sealed: string, place: string): string;
}

/** Derives the keys of all purposes from the 32 bytes of `BRIDGE_SECRET_KEY`. */
export function createKeys(secretKey: Buffer): Keys {
  const derive = (purpose: KeyPurpose) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `licensing-bridge:${purpose}:1`, 32));
  const derived = new Map<KeyPurpose, Buffer>();
  const keyFor = (purpose: KeyPurpose) => {
    const known = derived.get(purpose) ?? derive(purpose);
    derived.set(purpose, known);
    return known;
  };
  return {
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal(plain, place) {
      // A fresh 96-bit nonce for each message, as NIST SP 800-38D asks; random is safe far beyond our number of messages.
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    unseal(sealed, place) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), bytes.subarray(0, 12)).setAAD(
        Buffer.from(place),
      );
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** A 256-bit random value as 43 characters of base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A random id with a prefix that says what it is of, such as `app_` and 128 bits. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('base64url')}`;
}

/** SHA-256 of a token that is itself 256-bit random: no key or salt is needed against guessing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether two hashes are the same, in constant time. */
export function sameHash(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
