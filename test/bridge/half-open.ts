import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** The head of a POST of JSON with the given Content-Length. */
export function headOf(path: string, bodyBytes: number, moreHeaders = ''): string {
  const type = 'Content-Type: application/json';
  return `POST ${path} HTTP/1.1\r\nHost: bridge\r\n${type}\r\n${moreHeaders}Content-Length: ${String(bodyBytes)}\r\n\r\n`;
}

/**
 * Opens connections that send a head and a part of a body, and nothing more. Resolves when each
 * part was accepted or refused. The caller destroys the sockets.
 */
export async function holdBodies(url: string, count: number, head: string, part: Uint8Array): Promise<Socket[]> {
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 100) {
    const batch = Array.from({ length: 100 }, async () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      // A response means that the body was refused.
      socket.once('data', () => socket.destroy());
      await Promise.race([once(socket, 'connect'), closed]);
      socket.write(head);
      await Promise.race([new Promise((resolve) => socket.write(part, resolve)), closed]);
    });
    await Promise.all(batch);
  }
  return sockets;
}

/** The resident memory of a process, in MiB. */
export function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
