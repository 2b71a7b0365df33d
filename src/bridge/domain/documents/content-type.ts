import type { DocumentType } from '../../ports/document-scanner.js';

interface Signature {
  type: DocumentType;
  /** What the content begins with. */
  start: Buffer;
  /** What is found near its end, unless it was cut off. */
  end: Buffer;
}

const signatures: readonly Signature[] = [
  { type: 'application/pdf', start: Buffer.from('%PDF-'), end: Buffer.from('%%EOF') },
  { type: 'image/png', start: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), end: Buffer.from('IEND') },
  { type: 'image/jpeg', start: Buffer.from([0xff, 0xd8, 0xff]), end: Buffer.from([0xff, 0xd9]) },
];

/** Some programs add a few bytes behind the end. */
const tailBytes = 2_048;

/** The type of a file by its content. `cutOff`: it begins as one of the types and does not end as such. */
export type SniffedContent = DocumentType | 'cutOff' | 'other';

/**
 * Detects the type of a file by its content. Its name and the type that the browser gives are the sender's claims: a page or a program
 * under the name of a PDF must not reach the desk of a department.
 */
export function sniffContent(content: Buffer): SniffedContent {
  const found = signatures.find(({ start }) => content.subarray(0, start.length).equals(start));
  if (found === undefined) return 'other';
  const tail = content.subarray(Math.max(found.start.length, content.length - tailBytes));
  return tail.includes(found.end) ? found.type : 'cutOff';
}
