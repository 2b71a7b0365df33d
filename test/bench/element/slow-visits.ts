import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CDPSession } from 'playwright-core';
import { launchPersonalChromium } from '../../support/chromium.js';
import type { Visits } from './visits.js';

/** What a visit measures: the duration that the page reports, or the work of the page's main thread. */
export type Measured = 'ms' | 'main thread' | 'layouts' | 'styles';

const visitMs = 60_000;

/** The metrics of Chromium, and their unit in a result. */
const metricOf = {
  'main thread': ['TaskDuration', 1_000],
  layouts: ['LayoutCount', 1],
  styles: ['RecalcStyleCount', 1],
} as const;

/**
 * Starts a browser in which the page runs as on a processor that is `rate` times slower, as on a cheap
 * phone. A driver slows it down, which delays new frames of both contenders alike. The application in
 * the frame is another process, and is not slowed down.
 */
export async function startSlowVisits(rate: number, measured: Measured): Promise<Visits> {
  const context = await launchPersonalChromium();
  let reported: (body: string, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reportUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    reported(await text(request), response);
  }

  return {
    async visit(urlFor) {
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      await cdp.send('Emulation.setCPUThrottlingRate', { rate });
      const result = new Promise<number>((resolve, reject) => {
        reported = (body, response) => {
          response.end();
          read(cdp, measured, body).then(resolve, reject);
        };
      });
      await page.goto(urlFor(reportUrl));
      const tooLong = AbortSignal.timeout(visitMs);
      const late = once(tooLong, 'abort').then(() => Promise.reject(new Error('The page reported nothing.')));
      // The page may close only windows that a page has opened.
      return await Promise.race([result, late]).finally(() => page.close());
    },
    async close() {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(cdp: CDPSession, measured: Measured, body: string): Promise<number> {
  const report = JSON.parse(body) as { ms: number } | { failure: string };
  if ('failure' in report) throw new Error(report.failure);
  if (measured === 'ms') return report.ms;
  const [metric, unit] = metricOf[measured];
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === metric)?.value ?? 0) * unit;
}
