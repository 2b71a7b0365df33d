import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Mode } from '../../contract/index.js';
import type { BridgeContext } from '../domain/context.js';
import {
  deleteImportProgress,
  findImportProgress,
  saveImportProgress,
} from '../store/producers/registry-write-store.js';
import type { BadLine, ImportProgress } from '../store/tables/producer-tables.js';
import { applyRecords, type RecordOutcome } from './apply-records.js';
import { maxLineBytes, parseRecord, type ProducerRecord } from './producer-record.js';

/** The options of an import. */
export interface ImportOptions {
  path: string;
  mode: Mode;
  /** The time of the records. */
  at: Date;
  /**
   * The first line to read, counted from 1. Default: the line after an interrupted import of the
   * same file.
   */
  fromLine?: number | undefined;
}

/** The result of an import. */
export interface ImportedFile extends Omit<ImportProgress, 'position'> {
  /** The line from which an interrupted import resumed; 1 for the start of the file. */
  resumedFromLine: number;
}

const recordsPerBatch = 500;
/** The maximum size of a batch, because records can be long. */
const bytesPerBatch = 4 * 1024 * 1024;
const maxBadLines = 1_000;

/**
 * Imports a file of records, one JSON object a line.
 *
 * 1. Hash the file, whose content identifies the import.
 * 2. Continue after the last line of an interrupted import.
 * 3. Apply the lines in batches, each in one transaction with its progress.
 * 4. Delete the progress.
 */
export async function importFile(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  { path, mode, at, fromLine }: ImportOptions,
  onProgress: (progress: Readonly<ImportProgress>) => void = () => undefined,
): Promise<ImportedFile> {
  const { db, keys, clock } = context;
  const fileHash = await hashFile(path);
  const interrupted = fromLine === undefined ? await findImportProgress(db, mode, fileHash) : undefined;
  let progress = interrupted ?? { position: 0, lines: 0, created: 0, updated: 0, unchanged: 0, bad: 0, badLines: [] };
  const resumedFromLine = interrupted === undefined ? (fromLine ?? 1) : interrupted.lines + 1;

  for await (const batch of readAhead(readBatches(path, progress, resumedFromLine))) {
    progress = await db.transaction().execute(async (trx) => {
      const records = batch.records.map(({ record }) => record);
      const outcomes = await applyRecords({ trx, keys }, mode, records, at);
      const after = advance(progress, batch, outcomes);
      await saveImportProgress(trx, { mode, fileHash }, after, clock());
      return after;
    });
    onProgress(progress);
  }
  await deleteImportProgress(db, mode, fileHash);
  const { position: _position, ...found } = progress;
  return { ...found, resumedFromLine };
}

async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest();
}

/** Lines that are applied together. */
interface Batch {
  records: { line: number; record: ProducerRecord }[];
  bad: BadLine[];
  /** The number of the last line, and the position of the next one. */
  lines: number;
  position: number;
}

async function* readBatches(path: string, from: ImportProgress, firstLine: number): AsyncGenerator<Batch, void> {
  let { lines, position } = from;
  let batch: Pick<Batch, 'records' | 'bad'> = { records: [], bad: [] };
  let begin = position;
  for await (const { bytes, next } of readLines(path, position, maxLineBytes)) {
    lines += 1;
    position = next;
    const parsed = lines < firstLine ? undefined : parseRecord(bytes);
    if (parsed === undefined) continue;
    if ('record' in parsed) batch.records.push({ line: lines, record: parsed.record });
    else batch.bad.push({ line: lines, reason: parsed.reason });
    if (batch.records.length + batch.bad.length < recordsPerBatch && position - begin < bytesPerBatch) continue;
    yield { ...batch, lines, position };
    batch = { records: [], bad: [] };
    begin = position;
  }
  yield { ...batch, lines, position };
}

function advance(before: ImportProgress, batch: Batch, outcomes: readonly RecordOutcome[]): ImportProgress {
  const count = (wanted: RecordOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const refused = outcomes.flatMap((outcome, index) =>
    typeof outcome === 'string' ? [] : [{ line: batch.records[index]?.line ?? 0, reason: outcome.refused }],
  );
  const bad = [...batch.bad, ...refused].sort((left, right) => left.line - right.line);
  return {
    position: batch.position,
    lines: batch.lines,
    created: before.created + count('created'),
    updated: before.updated + count('updated'),
    unchanged: before.unchanged + count('unchanged'),
    bad: before.bad + bad.length,
    badLines: [...before.badLines, ...bad].slice(0, maxBadLines),
  };
}

/** A line of a file. */
export interface FileLine {
  /** The bytes without the line break; `undefined` for a line that is too long. */
  bytes: Buffer | undefined;
  /** The position of the next line, in bytes from the start of the file. */
  next: number;
}

const newline = 0x0a;

/**
 * Reads a file by lines from a position, including a last line without a line break. Keeps at most
 * the limit of a line in memory.
 */
export async function* readLines(path: string, start: number, maxBytes: number): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let size = 0;
  let next = start;
  const add = (part: Buffer) => {
    size += part.length;
    next += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): FileLine => {
    const line = { bytes: size <= maxBytes ? Buffer.concat(parts) : undefined, next };
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of createReadStream(path, { start, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, end));
      next += 1;
      yield take();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield take();
}

/** Yields items, and prepares the next one while the consumer processes the last. */
export async function* readAhead<Item>(items: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  let coming = items.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = items.next();
      // Its failure is reported when it is consumed, which may never happen.
      coming.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return();
  }
}
