import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createScriptedPage,
  type ScriptedPageOptions,
  type ScriptedSession,
  scriptedPageUrl,
} from './scripted-page.js';

/** Where {@link startScriptedPage} listens. */
export interface ListenOptions {
  /** Default: any free one. */
  port?: number;
  /** Default: `127.0.0.1`, another site than the `localhost` of your own page, as in production. */
  hostname?: string;
}

/** What {@link startScriptedPage} needs. */
export interface ScriptedPageServerOptions extends ScriptedPageOptions, ListenOptions {}

/** A scripted page that is being served. */
export interface ScriptedPageServer {
  /** Such as `http://127.0.0.1:5172`. */
  readonly origin: string;
  /** The address of a session, for `applicationUrl`. */
  url(session: ScriptedSession): string;
  /** Stops serving. */
  close(): Promise<void>;
}

/** Serves a scripted page from Node. Resolves once it listens. */
export function startScriptedPage(options: ScriptedPageServerOptions): Promise<ScriptedPageServer> {
  return serve(createScriptedPage(options), options);
}

/** Serves anything that answers requests. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  { port = 0, hostname = '127.0.0.1' }: ListenOptions,
): Promise<ScriptedPageServer> {
  // Here and not above: the rest of this door is for browsers and workers as well.
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
