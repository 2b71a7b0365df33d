import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** The behavior of a connection instead of a response. Receives the raw request. */
export type Fault = (socket: Socket, request: string) => void;

/** A server that sends given bytes instead of valid HTTP. */
export interface RawBridge {
  url: string;
  /** Every request except logins. */
  requests: string[];
  /** The number of connections. */
  connections(): number;
  /** The number of logins. */
  logins(): number;
}

/** The options of a raw bridge. */
export interface RawBehaviour {
  /** The behavior for each request except logins. */
  fault: Fault;
  /**
   * The behavior of a connection before a byte is read, from the second connection on; the first
   * one has the login.
   */
  onConnection?: (socket: Socket) => void;
}

/** Writes a whole response and ends the connection. `headers`: lines without line breaks. */
export function answer(status: number, body: string | Buffer, headers: readonly string[] = []): Fault {
  return (socket) => {
    const lines = [
      `HTTP/1.1 ${String(status)} Status`,
      `content-length: ${String(Buffer.byteLength(body))}`,
      ...headers,
    ];
    socket.write(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`);
    socket.end(body);
  };
}

/**
 * Starts a server that accepts every login, has one request per connection, and misbehaves as
 * scripted.
 */
export async function rawBridge(test: TestContext, { fault, onConnection }: RawBehaviour): Promise<RawBridge> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  let logins = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (connections > 1) onConnection?.(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
      if (!isWhole(text)) return;
      const request = text;
      text = '';
      if (request.startsWith('POST /v1/auth/login')) {
        logins += 1;
        answer(200, JSON.stringify({ accessToken: 'token-1' }))(socket, request);
        return;
      }
      requests.push(request);
      fault(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { url, requests, connections: () => connections, logins: () => logins };
}

function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return Buffer.byteLength(rest.join('\r\n\r\n')) >= length;
}
