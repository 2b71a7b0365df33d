import { createReadStream } from 'node:fs';

/** The JSON of a record in a file. */
export interface FileRecord {
  /** `undefined` for a record that is too long. */
  bytes: Buffer | undefined;
  /** The number of its first line, from 1. */
  line: number;
  /** The reason why it is not a record, when the file shows it. */
  problem?: string;
  /** The place after it. */
  next: FilePlace;
}

/** A place between two records. */
export interface FilePlace {
  /** In bytes from the start of the file. */
  position: number;
  /** The number of lines before it. */
  lines: number;
}

const newline = 0x0a;
const space = 0x20;

/**
 * Reads a file with a record per line, from a place on, including a last line without a line break.
 * Keeps at most the limit of a record in memory.
 */
export async function* readLines(path: string, from: FilePlace, maxBytes: number): AsyncGenerator<FileRecord> {
  let { position, lines } = from;
  const collected = createCollector(maxBytes);
  const take = (): FileRecord => {
    lines += 1;
    return { bytes: collected.take(), line: lines, next: { position, lines } };
  };
  for await (const chunk of chunksOf(path, position)) {
    let begin = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, begin)) {
      collected.add(chunk.subarray(begin, end));
      position += end + 1 - begin;
      begin = end + 1;
      yield take();
    }
    collected.add(chunk.subarray(begin));
    position += chunk.length - begin;
  }
  if (collected.size() > 0) yield take();
}

/**
 * Reads a file with a JSON array of records, from a place on: like {@link readLines}, because the
 * array may be larger than the memory. The last item is the blank rest of the file.
 */
export async function* readArray(path: string, from: FilePlace, maxBytes: number): AsyncGenerator<FileRecord> {
  let { position, lines } = from;
  const collected = createCollector(maxBytes);
  const scanner = createArrayScanner(position > 0);
  let line: number | undefined;
  let last: number | undefined = newline;
  for await (const chunk of chunksOf(path, position)) {
    let begin = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? space;
      if (byte === newline) lines += 1;
      else if (byte > space) line ??= lines + 1;
      const found = scanner.scan(byte);
      if (found === undefined) continue;
      collected.add(chunk.subarray(begin, index));
      begin = index + 1;
      const bytes = collected.take();
      if (found === 'end') {
        yield { bytes, line: line ?? lines + 1, next: { position: position + begin, lines } };
      }
      line = undefined;
    }
    collected.add(chunk.subarray(begin));
    position += chunk.length;
    last = chunk.at(-1);
  }
  const next = { position, lines: last === newline ? lines : lines + 1 };
  const rest = { bytes: collected.take(), line: line ?? next.lines, next };
  yield scanner.isInside() ? { ...rest, problem: 'the file ends within the array: expected ]' } : rest;
}

function chunksOf(path: string, start: number): AsyncIterable<Buffer> {
  return createReadStream(path, { start, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
}

/** Collects the parts of a record, as long as it is not too long. */
function createCollector(maxBytes: number) {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    size: () => size,
    add(part: Buffer): void {
      size += part.length;
      if (size <= maxBytes) parts.push(part);
      else parts = [];
    },
    take(): Buffer | undefined {
      const bytes = size <= maxBytes ? Buffer.concat(parts) : undefined;
      [parts, size] = [[], 0];
      return bytes;
    },
  };
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds the items of a JSON array, byte by byte: `start` is its bracket, `end` the comma or the
 * bracket after an item. Not a parser: a wrong item is reported when it is parsed.
 */
function createArrayScanner(isStarted: boolean) {
  let depth = isStarted ? 1 : 0;
  let isInText = false;
  let isEscaped = false;

  function scanText(byte: number): undefined {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) isInText = false;
  }

  return {
    isInside: () => depth > 0,
    scan(byte: number): 'start' | 'end' | undefined {
      if (isInText) return scanText(byte);
      if (byte === quote) isInText = true;
      else if (byte === openBracket || byte === openBrace) depth += 1;
      else if (byte === closeBracket || byte === closeBrace) depth -= 1;
      if (byte === openBracket && !isStarted) {
        isStarted = true;
        return 'start';
      }
      return (byte === comma && depth === 1) || (byte === closeBracket && depth === 0) ? 'end' : undefined;
    },
  };
}
