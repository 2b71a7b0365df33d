import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How far the servers are from the browser. */
export interface Distance {
  /** The time there and back. */
  roundTripMs: number;
}

/** A server at a distance. */
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
 * Puts a server behind a wire with a delay: a new connection takes two round trips, each request
 * one. One that was opened in advance has its two behind it when it is used.
 */
export async function serveFromAfar(origin: string, { roundTripMs }: Distance): Promise<DistantServer> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const connectedAt = performance.now() + roundTripsToConnect * roundTripMs;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      // Either end may go at any time, as when the page is closed; the other then goes with it.
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

/** Hands on what comes, in its order and at its time. */
function carry(from: Socket, to: Socket, arrival: (now: number) => number): void {
  from.on('data', (chunk) => {
    const now = performance.now();
    setTimeout(() => to.write(chunk), arrival(now) - now);
  });
}
