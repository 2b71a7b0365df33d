import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A partner's site with nothing but the element, and a host of the application that speaks no channel: two sites, two origins. */
export interface SmallSite {
  /** The page with the element, which is also where the application sends the user back to. */
  pageUrl: string;
  /** Each request for a session. */
  requests: { reason: string; returnState: string; applicationId?: string }[];
  /** What the server knows of the application; undefined as long as it was not submitted. */
  setSubmitted(): void;
  stop(): Promise<void>;
}

const cdn = fileURLToPath(new URL('../../dist/cdn/', import.meta.url));

/** Starts both. `attributes` are those of the element. */
export async function startSmallSite(attributes: string): Promise<SmallSite> {
  const requests: SmallSite['requests'] = [];
  let isSubmitted = false;

  const host = await listen('127.0.0.1', ({ url = '' }, response) => {
    // As today's host: a page of its own, that goes to the return address when the user is done.
    const back = new URL(url, 'http://host.example').searchParams.get('back');
    if (!back) {
      response.writeHead(404).end();
      return;
    }
    const link = (status: string) => `<a href="${withStatus(back, status)}">${status}</a>`;
    const links = ['submitted', 'cancelled', 'expired'].map(link).join(' ');
    send(response, 'text/html', `<!doctype html><title>Application</title><h1>Application</h1>${links}`);
  });

  const partner = await listen('localhost', (request, response) => {
    void answer(request, response);
  });
  const pageUrl = `http://localhost:${String(portOf(partner))}/apply.html`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', pageUrl);
    if (pathname === '/apply.html') send(response, 'text/html', page(attributes));
    else if (pathname === '/sessions') {
      const asked = JSON.parse(await textOf(request)) as SmallSite['requests'][number];
      requests.push(asked);
      const back = `${pageUrl}?tab=states&state=${asked.returnState}#top`;
      const applicationUrl = `http://127.0.0.1:${String(portOf(host))}/s?back=${encodeURIComponent(back)}`;
      sendJson(response, { applicationUrl, applicationId: 'app_1', statusUrl: '/status' });
    } else if (pathname === '/status') sendJson(response, application(isSubmitted));
    else if (pathname.endsWith('.js')) send(response, 'text/javascript', await readFile(`${cdn}${pathname.slice(1)}`));
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

function page(attributes: string): string {
  return `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">
    <script>
      window.told = [];
      for (const name of ['complete', 'close', 'error', 'modechange', 'beforeopen'])
        document.addEventListener('licensing-' + name, (event) => told.push({ ...event, name }));
    </script>
    <script type="module" src="/licensing-apply.js"></script>
    <licensing-apply session-url="/sessions" ${attributes}></licensing-apply></html>`;
}

function application(isSubmitted: boolean) {
  const progress = isSubmitted ? { step: 'submitted', index: 6, count: 6 } : { step: 'identity', index: 2, count: 6 };
  const states = isSubmitted ? [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }] : [];
  return { applicationId: 'app_1', progress, states };
}

/** The status before the fragment, behind whatever query there is. */
function withStatus(back: string, status: string): string {
  const url = new URL(back);
  url.searchParams.set('status', status);
  return url.href;
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

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
}
