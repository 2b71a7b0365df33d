import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../domain/limits/network.js';

/**
 * Closes the connections of one IP address beyond `max` at once, so that one caller cannot take all
 * connections of a port.
 */
export function limitConnectionsOfAddress(server: Server, max: number): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? 'unknown');
    const count = counts.get(network) ?? 0;
    if (count >= max) {
      socket.destroy();
      return;
    }
    counts.set(network, count + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}
