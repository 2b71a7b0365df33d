import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { OpenMode } from 'licensing-apply';
import { serveSite } from './static-site.js';

/** A partner's page with an element whose address is known, under a strict policy, and the host of that address, which counts. */
export interface ConnectionSite {
  origin: string;
  /** What the host was asked for, with the connection that it came by: the first is 1. */
  readonly asked: readonly [path: string | undefined, connection: number][];
  /** Resolves when somebody connects to the host, or asks it for something, from now on; rejects after ten seconds. */
  next(event: 'connection' | 'request'): Promise<unknown>;
  close(): void;
}

/** Starts both, the page with the built CDN files. */
export async function startConnectionSite(mode: OpenMode): Promise<ConnectionSite> {
  const asked: [path: string | undefined, connection: number][] = [];
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  const host = createServer(({ url, socket }, response) => {
    asked.push([url, numbers.get(socket) ?? 0]);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Application</title>');
  });
  host.on('connection', (socket) => numbers.set(socket, (connections += 1)));
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/apply`;
  const site = await serveSite({
    '/cdn/': fileURLToPath(new URL('../../dist/cdn/', import.meta.url)),
    '/': {
      body: `<!doctype html><script type="module" src="/cdn/licensing-apply.js"></script><licensing-apply mode="${mode}" application-url="${address}"></licensing-apply>`,
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${new URL(address).origin}; require-trusted-types-for 'script'; trusted-types lit-html`,
      },
    },
  });
  return {
    origin: site.origin,
    asked,
    next: (event) => once(host, event, { signal: AbortSignal.timeout(10_000) }),
    close() {
      site.close();
      host.closeAllConnections();
      host.close();
    },
  };
}
