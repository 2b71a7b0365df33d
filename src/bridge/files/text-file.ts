import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';

/** A position in a text. Both numbers start at 1. */
export interface Position {
  line: number;
  column: number;
}

/**
 * A text that is not UTF-8, such as a file that an old editor saved as Windows-1252 or UTF-16. The
 * message says where, and what to do.
 */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
  /** The message without the file and the position. */
  readonly reason: string;
  readonly position: Position;

  constructor(name: string, found: string, position: Position) {
    const reason = `expected UTF-8, found ${found}: save the file as UTF-8`;
    super(`${name}:${position.line}:${position.column}: ${reason}.`);
    this.reason = reason;
    this.position = position;
  }
}

/**
 * Reads a text file of the operator, without its byte order mark. Node's own reading replaces bytes
 * that are not UTF-8, so users would read "�Alguna vez…".
 *
 * @throws EncodingError, or the error of the file system.
 */
export async function readTextFile(path: string): Promise<string> {
  return decodeText(await readFile(path), path);
}

const decoder = new TextDecoder('utf-8');

/** Decodes UTF-8, without its byte order mark. `name` is for the error. @throws EncodingError */
export function decodeText(bytes: Buffer, name: string): string {
  // UTF-16 without a byte order mark is valid UTF-8, with a NUL beside each letter.
  if (isUtf8(bytes) && !bytes.includes(0)) return decoder.decode(bytes);
  const offset = findBadByte(bytes);
  const before = decoder.decode(bytes.subarray(0, offset));
  throw new EncodingError(name, describeBytes(bytes, offset), positionAt(before, before.length));
}

/** The position of a character. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

function findBadByte(bytes: Buffer): number {
  // A decoder replaces invalid bytes, so the first one is where its text has other bytes.
  const replaced = Buffer.from(bytes.toString());
  const difference = bytes.findIndex((byte, index) => byte === 0 || byte !== replaced[index]);
  return difference < 0 ? bytes.length : difference;
}

function describeBytes(bytes: Buffer, offset: number): string {
  const start = bytes.subarray(0, 2).toString('hex');
  if (start === 'fffe' || start === 'feff') return 'UTF-16';
  const byte = bytes[offset];
  return byte === undefined
    ? 'an incomplete character'
    : `the byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
