import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what systems give to outgoing connections and to servers that do not mind (Linux from 32768, macOS from 49152): such a
 * port would be taken by anybody while a server that had it restarts. Above those that browsers refuse.
 */
const firstPort = 12_000;
const lastPort = 32_000;

/**
 * Numbers of ports of the loopback that are free now. All are held at the same time, so that no two are the same.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  /** @type {{ server: import('node:net').Server, port: number }[]} */
  const held = [];
  while (held.length < count) {
    // By chance: processes that search at once must not all find the same.
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
