import type { DocumentType } from '../../ports/document-scanner.js';

interface Signature {
  type: DocumentType;
  /** The first bytes of the content. */
  start: Buffer;
  /** A marker near the end of complete content. */
  end: Buffer;
}

const signatures: readonly Signature[] = [
  { type: 'application/pdf', start: Buffer.from('%PDF-'), end: Buffer.from('%%EOF') },
  { type: 'image/png', start: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), end: Buffer.from('IEND') },
  { type: 'image/jpeg', start: Buffer.from([0xff, 0xd8, 0xff]), end: Buffer.from([0xff, 0xd9]) },
];

/** Some programs add a few bytes after the end. */
const tailBytes = 2_048;

/** The detected type. `cutOff`: the file begins as one of the types but does not end as one. */
export type SniffedContent = DocumentType | 'cutOff' | 'other';

/**
 * Detects the type of a file by its content. Its name and the browser's type are not trusted: an
 * HTML page or a program named as a PDF must not reach a department.
 */
export function sniffContent(content: Buffer): SniffedContent {
  const found = signatures.find(({ start }) => content.subarray(0, start.length).equals(start));
  if (found === undefined) return 'other';
  const tail = content.subarray(Math.max(found.start.length, content.length - tailBytes));
  return tail.includes(found.end) ? found.type : 'cutOff';
}
