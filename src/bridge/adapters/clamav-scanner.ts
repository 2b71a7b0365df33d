import { connect, type Socket } from 'node:net';
import type { ScannerPlace } from '../config/service-urls.js';
import { AdapterError, adapterErrorCode } from '../ports/adapter-error.js';
import type { DocumentScanner } from '../ports/document-scanner.js';

const chunkBytes = 64 * 1_024;
/** No answer to one stream is longer. */
const maxAnswerBytes = 4_096;

/** The advice for a failure, by its code. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start clamd, or correct BRIDGE_SCANNER.',
  ENOENT: 'Start clamd, or correct BRIDGE_SCANNER.',
  EACCES: 'Let the account of the bridge write to the socket of clamd.',
  size_limit: 'Raise StreamMaxLength in clamd.conf above the size of the largest document.',
  // clamd ends the connection of a document over its limit, mostly before its answer can be read.
  ended_early: 'If StreamMaxLength in clamd.conf is below the size of the largest document, raise it.',
};

/**
 * Scans documents with the clamd of ClamAV, over TCP or a Unix socket:
 *
 * 1. The command `INSTREAM` is sent, with the document in chunks, each after its length in four
 *    bytes. A length of 0 ends it.
 * 2. clamd answers `stream: OK`, or `stream: NAME FOUND`. Anything else is a failure, also when the
 *    connection ends before the answer: only an explicit answer makes a document clean.
 *
 * The document crosses the network as it is, because clamd has no TLS: it belongs on the same
 * machine or in a private network.
 *
 * @param deadlineMs The time for one document, in milliseconds. Default: 20,000, a third of what a
 *   request to the bridge may take.
 */
export function createClamavScanner(place: ScannerPlace, { deadlineMs = 20_000 } = {}): DocumentScanner {
  return {
    async scan(content) {
      const signal = AbortSignal.timeout(deadlineMs);
      const socket = connect({ ...place, signal });
      try {
        const answer = await exchange(socket, content);
        if (answer === 'stream: OK') return 'clean';
        if (/^stream: .+ FOUND$/.test(answer)) return 'infected';
        // The text of the answer may quote the name of a file, and is not needed.
        throw failure(answer.includes('size limit exceeded') ? 'size_limit' : 'unknown_answer');
      } catch (error) {
        if (error instanceof AdapterError) throw error;
        throw failure(signal.aborted ? 'timeout' : adapterErrorCode(error));
      } finally {
        socket.destroy();
      }
    },
  };
}

/** Sends a document and resolves with the answer, without the byte 0 at its end. */
function exchange(socket: Socket, content: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    let isSent = false;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      answer += text;
      const end = answer.indexOf('\0');
      if (end >= 0) resolve(answer.slice(0, end));
      else if (answer.length > maxAnswerBytes) reject(failure('unknown_answer'));
    });
    socket.once('connect', () => {
      for (const part of streamOf(content)) socket.write(part);
      socket.write(lengthOf(0), (error) => {
        isSent = !error;
      });
    });
    socket.once('error', (error) => {
      const isConnected = socket.bytesWritten > 0;
      reject(isConnected && !isSent && error.name !== 'AbortError' ? failure('ended_early') : error);
    });
    socket.once('close', () => {
      reject(failure('cut_off'));
    });
  });
}

/** The command and the chunks. The `z` is for answers that end with the byte 0. */
function* streamOf(content: Uint8Array): Generator<Uint8Array> {
  yield Buffer.from('zINSTREAM\0');
  for (let start = 0; start < content.length; start += chunkBytes) {
    const chunk = content.subarray(start, start + chunkBytes);
    yield lengthOf(chunk.length);
    yield chunk;
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function failure(code: string): AdapterError {
  return new AdapterError('documentScanner', 'scan', code, advice[code]);
}
