import { open } from 'node:fs/promises';
import { decodeText } from '../files/text-file.js';
import { maxRecordBytes } from './producer-record.js';
import { readLines } from './read-records.js';

/** The format of a file of records: one JSON object per line, or a JSON array of them. */
export type RecordFormat = 'lines' | 'array';

/** Files that people confuse with an export, by their first bytes. */
const archives: Readonly<Record<string, string>> = {
  '504b': 'an Excel workbook or a ZIP archive',
  '1f8b': 'a gzip archive',
};

/** A file of which none of the first lines is a record has another format. */
const sampledLines = 100;

/**
 * Finds the format of a file of records. Without it, a file in another format would be reported
 * line by line.
 *
 * @throws Error that says what the file is, and what is expected.
 */
export async function findFormat(path: string): Promise<RecordFormat> {
  const head = await readHead(path);
  const archive = archives[head.subarray(0, 2).toString('hex')];
  if (archive !== undefined) throw otherFormat(path, archive);
  // A NUL is a part of UTF-16; other wrong bytes are reported with their line.
  if (head.includes(0)) decodeText(head, path);
  if (head.toString().trimStart().startsWith('[')) return 'array';

  let first: string | undefined;
  for await (const { bytes, line } of readLines(path, { position: 0, lines: 0 }, maxRecordBytes)) {
    const text = bytes?.toString().trim();
    if (text === '') continue;
    if (text !== undefined && isObject(text)) return 'lines';
    first ??= text ?? '';
    if (hasComma(first) || line >= sampledLines) break;
  }
  if (first === undefined) return 'lines';
  throw otherFormat(path, describeFormat(first));
}

function otherFormat(path: string, found: string): Error {
  return new Error(`${path} is ${found}: expected one JSON object per line, or a JSON array of them.`);
}

function describeFormat(first: string): string {
  if (hasComma(first)) return 'JSON with a comma at the end of its lines';
  if (first.startsWith('<')) return 'XML or HTML';
  if (!first.startsWith('{')) return 'a CSV or another text';
  return first.endsWith('}') ? 'not valid JSON' : 'JSON whose objects take several lines';
}

function hasComma(line: string): boolean {
  return line.endsWith(',') && isObject(line.slice(0, -1));
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
