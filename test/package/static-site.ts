import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** A site that is served from this process. */
export interface StaticSite {
  origin: string;
  close(): void;
}

/** A served folder or text, with headers where needed. */
type Place = string | { folder: string; headers: Headers } | { body: string; headers?: Headers };

type Headers = Record<string, string>;

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
};

/**
 * Serves folders, with their `index.html`, and pages by the beginning of their path. The first
 * match counts.
 */
export async function serveSite(places: Record<string, Place>): Promise<StaticSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    answer(pathname).then(
      ({ body, headers }) => response.writeHead(200, headers).end(body),
      () => response.writeHead(404).end(),
    );
  }).listen(0, 'localhost');

  async function answer(pathname: string): Promise<{ body: string | Buffer; headers: Headers }> {
    const [prefix, found] = Object.entries(places).find(([start]) => pathname.startsWith(start)) ?? ['', ''];
    const place = typeof found === 'string' ? { folder: found, headers: {} } : found;
    if ('body' in place)
      return { body: place.body, headers: { 'content-type': types['.html'] ?? '', ...place.headers } };
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const body = await readFile(join(place.folder, name.slice(prefix.length)));
    return { body, headers: { 'content-type': types[extname(name)] ?? 'text/plain', ...place.headers } };
  }

  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
    },
  };
}
