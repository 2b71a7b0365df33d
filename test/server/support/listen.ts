import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Serves a listener on a free port until the test ends. Resolves with its origin. */
export async function listen(
  test: TestContext,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a connection to a server, for requests that `fetch` cannot send. It ends with the test. */
export function connectTo(test: TestContext, url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
  // Some of these requests end their connection.
  socket.on('error', () => undefined);
  test.after(() => socket.destroy());
  return socket;
}
