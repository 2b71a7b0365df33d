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

/** What is to be imported. */
export interface WantedImport {
  path: string;
  mode: Mode;
  /** The moment as of which the records hold. */
  at: Date;
  /** The first line to read, counted from 1. By default where an interrupted import of the same file stopped. */
  fromLine?: number | undefined;
}

/** What an import found. */
export interface ImportedFile extends Omit<ImportProgress, 'position'> {
  /** The line from which an interrupted import was taken up; 1 when it was read from its beginning. */
  resumedFromLine: number;
}

const recordsPerBatch = 500;
/** Records can be long: a batch is full at this size, too. */
const bytesPerBatch = 4 * 1024 * 1024;
const maxBadLines = 1_000;

/**
 * Imports a file of records, one JSON object a line.
 *
 * 1. hash the file: its content says which import this is
 * 2. go to where an interrupted import of it stopped
 * 3. apply the lines in batches, each in one transaction with how far it came
 * 4. forget how far it came
 */
export async function importFile(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  { path, mode, at, fromLine }: WantedImport,
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
  /** The number of the last line, and where the next one begins. */
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
  /** The bytes without the line's end; `undefined` when there are more than a record can have. */
  bytes: Buffer | undefined;
  /** Where the next line begins, in bytes from the file's beginning. */
  next: number;
}

const newline = 0x0a;

/**
 * Reads a file line by line from a position on, the last line whether it ends or not. No more than a line's limit is held at once,
 * whatever the file is.
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

/** Passes items on, and has the next one made while the taker is busy with the last. */
export async function* readAhead<Item>(items: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  let coming = items.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = items.next();
      // Its failure is met when it is asked for, which may be never: the taker may fail first.
      coming.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return();
  }
}
