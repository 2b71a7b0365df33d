import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as bytes. */
export type Wire = Buffer;

/** A POST of JSON, ready to be written. */
export function post(path: string, headers: Readonly<Record<string, string>>, body: string): Wire {
  const lines = Object.entries({ ...headers, host: 'localhost', 'content-type': 'application/json' });
  const head = [...lines, ['content-length', String(Buffer.byteLength(body))]].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Sends requests over several connections, sequentially on each. They are written and read as
 * bytes, because an HTTP client costs more than the measured servers. Resolves with the
 * milliseconds from the first request to the last response; rejects when one is not 204.
 */
export async function sendAll(url: string, requests: readonly Wire[], connections: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay();
      await once(socket, 'connect');
      return socket;
    }),
  );
  const rest = requests[Symbol.iterator]();
  const startedAt = performance.now();
  try {
    await Promise.all(sockets.map((socket) => sendOn(socket, rest)));
    return performance.now() - startedAt;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function sendOn(socket: Socket, rest: Iterator<Wire>): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const sendNext = () => {
      const next = rest.next();
      if (next.done === true) resolve();
      else socket.write(next.value);
    };
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      // No response has a body, so its head is all of it, plus the end of the chunks.
      const isChunked = answer.includes('ransfer-');
      if (!answer.endsWith(isChunked ? '\r\n0\r\n\r\n' : '\r\n\r\n')) return;
      if (!answer.startsWith('HTTP/1.1 204 ')) {
        reject(new Error(answer));
        return;
      }
      answer = '';
      sendNext();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('The receiver ended the connection.'));
    });
    sendNext();
  });
}
