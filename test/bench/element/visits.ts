import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openUndrivenChromium } from '../../support/chromium.js';

/** A browser that visits pages which measure themselves. */
export interface Visits {
  /**
   * Opens a page in a new window and resolves with the milliseconds that it reports to `reportUrl`.
   */
  visit(urlFor: (reportUrl: string) => string): Promise<number>;
  close(): Promise<void>;
}

/** The report of a page. */
type Report = { ms: number } | { failure: string };

const visitMs = 30_000;

/** The page that opens the windows, one after the other. */
const guide = `<!doctype html><title>Guide</title><script type="module">
for (;;) open(await (await fetch('/next')).text(), '_blank', 'noopener');
</script>`;

/** Starts a browser without a driver. A page in it polls this server for the next visit. */
export async function startVisits(): Promise<Visits> {
  let asked = expected<ServerResponse>();
  let reported = expected<Report>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/next') {
      asked.resolve(response);
      return;
    }
    if (request.url === '/report') reported.resolve(JSON.parse(await text(request)) as Report);
    response.writeHead(200, { 'content-type': 'text/html' }).end(guide);
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await openUndrivenChromium(origin);
  return {
    async visit(urlFor) {
      const guideAsks = await asked.promise;
      asked = expected();
      reported = expected();
      guideAsks.end(urlFor(`${origin}/report`));
      const tooLong = AbortSignal.timeout(visitMs);
      const late = once(tooLong, 'abort').then(() => ({ failure: 'The page reported nothing.' }));
      const report = await Promise.race([reported.promise, late]);
      if ('failure' in report) throw new Error(report.failure);
      return report.ms;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A promise that is resolved from outside. */
function expected<Value>(): { promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
