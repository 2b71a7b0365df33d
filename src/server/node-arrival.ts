import type { IncomingMessage } from 'node:http';
import type { Arrival, OpenBody } from './handler/arrival.js';
import { headersOf, pathOf, type ParsedRequest } from './node-request.js';

/**
 * A request of `node:http` whose body nobody has begun to read. Of what a webhook costs, the platform's `Request` with its
 * stream and its signal would be a third.
 */
export class NodeArrival implements Arrival {
  readonly method: string;
  readonly #incoming: ParsedRequest;
  readonly #makeWhole: () => Request;
  /** Whether the body was there, and read, before its end was announced. */
  isRead = false;
  #whole: Request | undefined;

  constructor(incoming: ParsedRequest, makeWhole: () => Request) {
    this.method = incoming.method ?? 'GET';
    this.#incoming = incoming;
    this.#makeWhole = makeWhole;
  }

  get url(): string {
    return pathOf(this.#incoming);
  }

  get headers(): Arrival['headers'] {
    return new NodeHeaders(this.#incoming);
  }

  get body(): Arrival['body'] {
    return this.whole().body;
  }

  get bodyUsed(): boolean {
    return this.whole().bodyUsed;
  }

  open(maxBytes: number): OpenBody {
    const arrived = arrivedBody(this.#incoming);
    this.isRead = arrived !== undefined;
    return arrived ?? openBody(this.#incoming, maxBytes);
  }

  whole(): Request {
    return (this.#whole ??= this.#makeWhole());
  }
}

/** Headers as they came. Few of them are ever asked for, each once, so nothing is made of the others. */
class NodeHeaders implements Iterable<[string, string]> {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    const { rawHeaders: raw } = this.#incoming;
    for (let index = 0; index < raw.length; index += 2) {
      const given = raw[index];
      if (given?.length === name.length && given.toLowerCase() === name) return raw[index + 1] ?? null;
    }
    return null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return headersOf(this.#incoming);
  }
}

/** A body that came with its head, as most do: to listen for it would be dearer than all else that is done with it. */
function arrivedBody(incoming: IncomingMessage): OpenBody | undefined {
  const { destroyed, headers, readableLength } = incoming;
  if (destroyed || readableLength === 0 || readableLength !== Number(headers['content-length'])) return undefined;
  return { bytes: Promise.resolve(incoming.read() as Buffer<ArrayBuffer>) };
}

function openBody(incoming: IncomingMessage, maxBytes: number): OpenBody {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let cancel = () => {};
  const bytes = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    function finish(): void {
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    }
    function breakOff(): void {
      // It is told of every connection, long after most bodies ended, and an error that nobody needs is dear.
      if (!incoming.readableEnded) reject(new Error('The connection broke.'));
    }
    function keep(chunk: Buffer<ArrayBuffer>): void {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) cancel();
    }
    cancel = () => {
      finish();
      // What still comes is let go of: on a connection that is broken off, nobody would hear why.
      incoming.off('data', keep);
    };
    incoming.on('data', keep);
    incoming.on('end', finish);
    incoming.on('close', breakOff);
    // Closed before there was anybody to be told.
    if (incoming.destroyed) breakOff();
    // Something in front may have paused it, while it looked for the user's session.
    if (incoming.isPaused()) incoming.resume();
  });
  return { bytes, cancel };
}
