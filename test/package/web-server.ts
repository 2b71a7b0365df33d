import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** A partner's web server: pages and scripts itself, everything below `/licensing/` by the backend. */
export interface WebServer {
  port: number;
  close(): void;
}

/** What it serves. */
export interface Served {
  /** Texts of pages by their path. */
  pages: Record<string, string>;
  /** The folder that is served as `/licensing-apply/`. */
  scripts: string;
  /** Where the backend listens. */
  backend: string;
}

const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };

/** Starts one on a free port. */
export async function startWebServer({ pages, scripts, backend }: Served): Promise<WebServer> {
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', backend);
    if (pathname.startsWith('/licensing/')) forward(incoming, outgoing, backend);
    else void serve(pathname, outgoing);
  });

  async function serve(pathname: string, outgoing: ServerResponse): Promise<void> {
    const [, script] = /^\/licensing-apply(\/.*)/.exec(pathname) ?? [];
    const body =
      script === undefined ? pages[pathname] : await readFile(join(scripts, normalize(script))).catch(() => undefined);
    outgoing.writeHead(body === undefined ? 404 : 200, { 'content-type': types[extname(pathname)] ?? 'text/plain' });
    outgoing.end(body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, backend: string): void {
  const { method, url = '/', headers } = incoming;
  const forwarded = httpRequest(new URL(url, backend), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
