import type { z } from 'zod';
import type { ProducerRecord } from './producer-record.js';
import { producerRecordSchema } from './record-schema.js';

/** A record, or why a line has none. Reasons name fields and what was expected, never what stands there: it may be an SSN. */
export type ParsedRecord = { record: ProducerRecord } | { reason: string };

/** The longest line that is read, in bytes: many times that of any producer. */
export const maxLineBytes = 4 * 1024 * 1024;

/** Reads the record of one line; `undefined` when the line is blank. */
export function parseRecord(bytes: Buffer | undefined): ParsedRecord | undefined {
  if (bytes === undefined) return { reason: `longer than ${String(maxLineBytes)} bytes` };
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return undefined;
    value = JSON.parse(text);
  } catch (error) {
    return { reason: error instanceof SyntaxError ? 'not JSON' : 'not UTF-8' };
  }
  const { success, data, error } = producerRecordSchema.safeParse(value);
  return success ? { record: data } : { reason: reasonOf(error.issues[0]) };
}

/** The first thing that is wrong: the others may follow from it. */
function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'not a record';
  if (issue.code === 'unrecognized_keys')
    return `${pathOf([...issue.path, issue.keys[0] ?? ''])}: expected no such key`;
  if (issue.path.length === 0) return 'expected an object';
  return `${pathOf(issue.path)}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** What is no usual name of a key may be data that slipped into its place. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (/^([A-Za-z]\w{0,39}|\d+)$/.test(String(key)) ? String(key) : '(unreadable key)')).join('.');
}
