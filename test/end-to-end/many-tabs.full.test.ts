import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';

const cdn = fileURLToPath(new URL('../../dist/cdn/', import.meta.url));
const tag = '<licensing-apply application-id="app_1" session-url="/licensing/sessions"></licensing-apply>';
// More than the connections that HTTP/1.1 has.
const tabCount = 8;

let browser: Browser;
/** The streams of events that are open. */
const streams = new Set<ServerResponse>();
let status = 'pending_review';

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname.endsWith('/events')) {
    streams.add(response);
    response.on('close', () => streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event());
  } else if (pathname.startsWith('/licensing/'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(application());
  else if (pathname.endsWith('.js'))
    void readFile(cdn + pathname.slice(1)).then((script) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
    );
  else
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>Agency</title><link rel="icon" href="data:,"><script type="module" src="/licensing-apply.js"></script>${tag}`,
      );
});

function application(): string {
  return JSON.stringify({
    applicationId: 'app_1',
    submittedAt: '2026-11-20T12:00:00Z',
    progress: { step: 'submitted', index: 6, count: 6 },
    states: [{ state: 'TX', status, updatedAt: '2026-11-20T12:00:00Z' }],
  });
}

function event(): string {
  return `event: application\ndata: ${application()}\n\n`;
}

before(async () => {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  browser = await launchChromium();
});

after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

for (const [protocol, expected] of [
  ['http/1.1', 0],
  ['h2', 1],
] as const)
  test(`${tabCount} tabs of a site that came over ${protocol} load, show the decision of a state, and have ${expected} streams of events`, async () => {
    status = 'pending_review';
    const context = await browser.newContext();
    // The connections are those of HTTP/1.1 in both cases: only one may be taken.
    await context.addInitScript((value) => {
      Object.defineProperty(PerformanceNavigationTiming.prototype, 'nextHopProtocol', { get: () => value });
    }, protocol);
    const tabs = [];
    for (let index = 0; index < tabCount; index += 1) {
      const tab = await context.newPage();
      await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      await tab.getByText('In review', { exact: true }).waitFor();
      tabs.push(tab);
    }
    assert.equal(streams.size, expected);
    // The next tab takes the stream over.
    await tabs.shift()?.close();
    status = 'approved';
    for (const stream of streams) stream.write(event());
    await Promise.all(tabs.map((tab) => tab.getByText('Approved', { exact: true }).waitFor({ timeout: 60_000 })));
    await context.close();
  });
