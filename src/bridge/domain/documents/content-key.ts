import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/*
 * Each document has a key of its own, and only that key is sealed with the bridge's. So a change of the bridge's key rewrites some
 * bytes a document instead of its content, wherever that is stored; and without its key the content is as good as erased.
 */

const nonceBytes = 12;
const tagBytes = 16;

/** A fresh key of 256 bits, as base64url. */
export function createContentKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Encrypts the content of a document (AES-256-GCM). `associatedData` names its row: moved to another, it does not open. */
export function encryptContent(content: Buffer, key: string, associatedData: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce).setAAD(
    Buffer.from(associatedData),
  );
  const body = [cipher.update(content), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

/** Decrypts what {@link encryptContent} made. @throws Error when it was changed or moved. */
export function decryptContent(sealed: Uint8Array, key: string, associatedData: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), bytes.subarray(0, nonceBytes)).setAAD(
    Buffer.from(associatedData),
  );
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** The row that a document's content, its name, its kind and its key belong to. */
export function documentAssociatedData(
  part: 'content' | 'name' | 'kind' | 'key',
  applicationId: string,
  id: string,
): string {
  return `document.${part}:${applicationId}:${id}`;
}
