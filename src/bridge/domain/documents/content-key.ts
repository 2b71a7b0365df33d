import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/*
 * Each document has a separate key, and only that key is encrypted with the bridge's key. So a
 * change of the bridge's key rewrites some bytes per document instead of its content, in any
 * storage; and deleting the document's key makes the content unreadable.
 */

const nonceBytes = 12;
const tagBytes = 16;

/** A random key of 256 bits, as base64url. */
export function createContentKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Encrypts the content of a document (AES-256-GCM). `associatedData` is its row: moved to another
 * row, it cannot be decrypted.
 */
export function encryptContent(content: Buffer, key: string, associatedData: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce).setAAD(
    Buffer.from(associatedData),
  );
  const body = [cipher.update(content), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

/**
 * Decrypts the result of {@link encryptContent}. @throws Error when the content was changed or
 * moved.
 */
export function decryptContent(encrypted: Uint8Array, key: string, associatedData: string): Buffer {
  const bytes = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), bytes.subarray(0, nonceBytes)).setAAD(
    Buffer.from(associatedData),
  );
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** The associated data of a document's content, name, subject and key: its row. */
export function documentAssociatedData(
  part: 'content' | 'name' | 'subject' | 'key',
  applicationId: string,
  id: string,
): string {
  return `document.${part}:${applicationId}:${id}`;
}
