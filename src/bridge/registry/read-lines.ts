import { createReadStream } from 'node:fs';

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
