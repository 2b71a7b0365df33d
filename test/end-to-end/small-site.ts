import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * A partner's site with only the element, and a host without the messaging protocol: two sites, two
 * origins.
 */
export interface SmallSite {
  /** The page with the element, which is also the return page. */
  pageUrl: string;
  /** Each request for a session. */
  requests: { reason: string; returnState: string; applicationId?: string }[];
  /** From now on the server reports the application as submitted. */
  setSubmitted(): void;
  stop(): Promise<void>;
}

/** The options. */
export interface SmallSiteOptions {
  /** The path of the return page. Default: the page that requested the session. */
  returnPath?: string;
  /** Headers of the host's pages. */
  hostHeaders?: Record<string, string>;
}

const cdn = fileURLToPath(new URL('../../dist/cdn/', import.meta.url));

/** Starts both. `attributes` are those of the element. */
export async function startSmallSite(
  attributes: string,
  { returnPath, hostHeaders = {} }: SmallSiteOptions = {},
): Promise<SmallSite> {
  const contents: Record<string, string> = {
    '/apply.html': `<licensing-apply session-url="/sessions" ${attributes}></licensing-apply>`,
    '/return.html': '<h1>Welcome back</h1><script type="module" src="/return.js"></script>',
  };
  const requests: SmallSite['requests'] = [];
  let isSubmitted = false;

  const host = await listen('127.0.0.1', ({ url = '' }, response) => {
    // As existing hosts: a plain page that redirects to the return URL at the end.
    const back = new URL(url, 'http://host.example').searchParams.get('back');
    if (!back) {
      response.writeHead(404).end();
      return;
    }
    const end = new URL(back);
    end.searchParams.set('status', 'submitted');
    const body = `<!doctype html><title>Application</title><h1>Application</h1><a href="${end.href}">submitted</a>`;
    send(response, 'text/html', body, hostHeaders);
  });

  const partner = await listen('localhost', (request, response) => {
    void answer(request, response);
  });
  const pageUrl = `http://localhost:${portOf(partner)}/apply.html`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', pageUrl);
    const content = contents[pathname];
    if (content !== undefined) send(response, 'text/html', page(content));
    else if (pathname === '/sessions') {
      const asked = JSON.parse(await textOf(request)) as SmallSite['requests'][number];
      requests.push(asked);
      const { pathname: askedBy } = new URL(request.headers.referer ?? pageUrl);
      const back = new URL(`${returnPath ?? askedBy}?tab=states&state=${asked.returnState}#top`, pageUrl).href;
      const applicationUrl = `http://127.0.0.1:${portOf(host)}/s?back=${encodeURIComponent(back)}`;
      const { applicationId = 'app_1' } = asked;
      sendJson(response, { applicationUrl, applicationId, statusUrl: `/status?application=${applicationId}` });
    } else if (pathname === '/status') {
      const applicationId = searchParams.get('application') ?? '';
      sendJson(response, application(applicationId, isSubmitted));
    } else if (pathname.endsWith('.js'))
      send(response, 'text/javascript', await readFile(`${cdn}${pathname.slice(1)}`));
    else response.writeHead(404).end();
  }

  return {
    pageUrl,
    requests,
    setSubmitted() {
      isSubmitted = true;
    },
    async stop() {
      for (const server of [host, partner]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">
    <script>
      window.told = [];
      for (const name of ['complete', 'close', 'beforeopen'])
        document.addEventListener('licensing-' + name, (event) => told.push({ ...event, name }));
    </script>
    <script type="module" src="/licensing-apply.js"></script>
    ${content}</html>`;
}

function application(applicationId: string, isSubmitted: boolean) {
  const progress = isSubmitted ? { step: 'submitted', index: 6, count: 6 } : { step: 'identity', index: 2, count: 6 };
  const states = isSubmitted ? [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }] : [];
  return { applicationId, progress, states };
}

async function listen(
  name: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, name, resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 'application/json', JSON.stringify(value));
}

function send(
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
}
