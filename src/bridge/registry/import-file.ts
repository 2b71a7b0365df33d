import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Mode } from '../../contract/index.js';
import { type AuditedContext, recordLongChange } from '../domain/audit/audit.js';
import type { BridgeContext } from '../domain/context.js';
import {
  deleteImportProgress,
  findImportProgress,
  saveImportProgress,
} from '../store/producers/registry-write-store.js';
import type { BadLine, ImportProgress } from '../store/tables/producer-tables.js';
import { inTransaction } from '../store/transaction.js';
import { applyRecords, type RecordOutcome } from './apply-records.js';
import { findFormat, type RecordFormat } from './file-format.js';
import { maxRecordBytes, parseRecord, type ProducerRecord } from './producer-record.js';
import { type FilePlace, readArray, readLines } from './read-records.js';

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
 * Imports a file of records: one JSON object a line, or a JSON array.
 *
 * 1. Find the format of the file.
 * 2. Hash the file, whose content identifies the import.
 * 3. Continue after the last record of an interrupted import.
 * 4. Apply the records in batches, each in one transaction with its progress and its webhooks.
 * 5. Delete the progress.
 *
 * @throws Error for a file of another format, before anything is imported.
 */
export async function importFile(
  context: AuditedContext & Pick<BridgeContext, 'keys'>,
  options: ImportOptions,
  onProgress: (progress: Readonly<ImportProgress>) => void = () => undefined,
): Promise<ImportedFile> {
  const format = await findFormat(options.path);
  const fileHash = await hashFile(options.path);
  // Not the path, which may contain the name of a person.
  const subject = `sha256:${fileHash.toString('hex')}`;
  return recordLongChange(
    context,
    { action: 'registry.imported', mode: options.mode, subject },
    () => applyFile(context, options, { format, fileHash, onProgress }),
    ({ created, updated }) => created + updated,
  );
}

async function applyFile(
  { db, keys, clock }: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  { path, mode, at, fromLine }: ImportOptions,
  file: { format: RecordFormat; fileHash: Buffer; onProgress: (progress: Readonly<ImportProgress>) => void },
): Promise<ImportedFile> {
  const { format, fileHash, onProgress } = file;
  const interrupted = fromLine === undefined ? await findImportProgress(db, mode, fileHash) : undefined;
  let progress = interrupted ?? { position: 0, lines: 0, created: 0, updated: 0, unchanged: 0, bad: 0, badLines: [] };
  const resumedFromLine = interrupted === undefined ? (fromLine ?? 1) : interrupted.lines + 1;

  for await (const batch of readAhead(readBatches(path, format, progress, resumedFromLine))) {
    progress = await inTransaction(db, async (trx) => {
      const records = batch.records.map(({ record }) => record);
      const now = clock();
      const outcomes = await applyRecords({ trx, keys }, mode, records, at, now);
      const after = advance(progress, batch, outcomes);
      await saveImportProgress(trx, { mode, fileHash }, after, now);
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

/** Records that are applied together. */
interface Batch extends FilePlace {
  records: { line: number; name: string; record: ProducerRecord }[];
  bad: BadLine[];
}

async function* readBatches(
  path: string,
  format: RecordFormat,
  from: ImportProgress,
  firstLine: number,
): AsyncGenerator<Batch, void> {
  let place: FilePlace = { position: from.position, lines: from.lines };
  let count = from.created + from.updated + from.unchanged + from.bad;
  let batch: Pick<Batch, 'records' | 'bad'> = { records: [], bad: [] };
  let begin = place.position;
  const read = format === 'array' ? readArray : readLines;
  for await (const { bytes, line, problem, next } of read(path, place, maxRecordBytes)) {
    place = next;
    count += 1;
    if (line < firstLine) continue;
    const parsed = problem === undefined ? parseRecord(bytes) : { reason: problem };
    if (parsed === undefined) continue;
    // An array may be one line.
    const name = format === 'array' ? `record ${count}: ` : '';
    if ('record' in parsed) batch.records.push({ line, name, record: parsed.record });
    else batch.bad.push({ line, reason: `${name}${parsed.reason}` });
    const isFull = batch.records.length + batch.bad.length === recordsPerBatch;
    if (!isFull && place.position - begin < bytesPerBatch) continue;
    yield { ...batch, ...place };
    batch = { records: [], bad: [] };
    begin = place.position;
  }
  yield { ...batch, ...place };
}

function advance(before: ImportProgress, batch: Batch, outcomes: readonly RecordOutcome[]): ImportProgress {
  const count = (wanted: RecordOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const refused = outcomes.flatMap((outcome, index) => {
    const { line = 0, name = '' } = batch.records[index] ?? {};
    return typeof outcome === 'string' ? [] : [{ line, reason: `${name}${outcome.refused}` }];
  });
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
