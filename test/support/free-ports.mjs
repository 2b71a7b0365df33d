import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of systems (Linux from 32768, macOS from 49152), which another process
 * could take while a server restarts. Above the ports that browsers block.
 */
const firstPort = 12_000;
const lastPort = 32_000;

/**
 * Free loopback ports. All are held at the same time, so that they differ.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  /** @type {{ server: import('node:net').Server, port: number }[]} */
  const held = [];
  while (held.length < count) {
    // Random, so that concurrent processes find different ones.
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      held.push({ server, port });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return held.map(({ port }) => port);
}
