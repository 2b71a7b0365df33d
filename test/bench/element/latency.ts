import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The distance between the servers and the browser. */
export interface Distance {
  /** The round trip time. */
  roundTripMs: number;
}

/** A server behind a delay. */
export interface DistantServer {
  origin: string;
  /** Ends all connections, as servers end idle ones. */
  hangUp(): void;
  stop(): void;
}

/**
 * What an https connection costs before the first byte of a request: one round trip for TCP and one
 * for TLS 1.3.
 */
const roundTripsToConnect = 2;

/**
 * Delays a server: a new connection takes two round trips, each request one. A connection that was
 * opened in advance takes no time when it is used.
 */
export async function serveFromAfar(origin: string, { roundTripMs }: Distance): Promise<DistantServer> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const connectedAt = performance.now() + roundTripsToConnect * roundTripMs;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      // When either side closes, for example with the page, the other is closed too.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    carry(near, far, (now) => Math.max(connectedAt, now) + roundTripMs / 2);
    carry(far, near, (now) => now + roundTripMs / 2);
  }).listen(0, hostname);
  await once(server, 'listening');
  function hangUp(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    origin: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    hangUp,
    stop() {
      server.close();
      hangUp();
    },
  };
}

/** Forwards the data in order, after the delay. */
function carry(from: Socket, to: Socket, arrival: (now: number) => number): void {
  from.on('data', (chunk) => {
    const now = performance.now();
    setTimeout(() => to.write(chunk), arrival(now) - now);
  });
}
