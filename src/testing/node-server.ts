import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createScriptedPage,
  type ScriptedPageOptions,
  type ScriptedSession,
  scriptedPageUrl,
} from './scripted-page.js';

/** The port and address of {@link startScriptedPage}. */
export interface ListenOptions {
  /** The port. Default: a free one. */
  port?: number;
  /**
   * The address. Default: `127.0.0.1`, which is another site than `localhost`, where your own page
   * is.
   */
  hostname?: string;
}

/** Options of {@link startScriptedPage}. */
export interface ScriptedPageServerOptions extends ScriptedPageOptions, ListenOptions {}

/** A running server of the scripted page. */
export interface ScriptedPageServer {
  /** The origin, such as `http://127.0.0.1:5172`. */
  readonly origin: string;
  /** Returns the URL of a session, for `applicationUrl`. */
  url(session: ScriptedSession): string;
  /** Stops the server. */
  close(): Promise<void>;
}

/** Serves the scripted page from Node. Resolves when the server listens. */
export function startScriptedPage(options: ScriptedPageServerOptions): Promise<ScriptedPageServer> {
  return serve(createScriptedPage(options), options);
}

/** Serves a function from `Request` to `Response`. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  { port = 0, hostname = '127.0.0.1' }: ListenOptions,
): Promise<ScriptedPageServer> {
  // Imported here, because browsers and workers use the rest of this entry point.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      response.writeHead(400).end();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = method === 'POST' ? Buffer.concat(chunks) : null;
    const reply = await handle(new Request(new URL(url, `http://${hostname}`), { method, body }));
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(Buffer.from(await reply.arrayBuffer()));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, hostname, resolve);
  });
  const origin = `http://${hostname}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (session) => scriptedPageUrl(origin, session),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
