import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { applyWholly } from './applicant.js';
import { launchBrowser } from './browser.js';
import { openPartnerPage } from './partner-page.js';
import { startSite, type Site } from './site.js';

// Canaries: nothing else on the machine contains them, so one hit anywhere is a leak.
const ssn = '900-48-7193';
const explanation = 'quokka-answer-canary-5f1c';
const traces = [ssn, ssn.replaceAll('-', ''), '487193', explanation];

let site: Site;
let browser: Browser;

before(async () => {
  // Every line that the bridge can write, not only those of the default level.
  [site, browser] = await Promise.all([startSite({ LOG_LEVEL: 'trace' }), launchBrowser()]);
});

after(async () => {
  await browser.close();
  await site.stop();
});

test('the SSN and the answers that a user types are nowhere on the partner’s side, nor in logs or the database files', async () => {
  const partner = await openPartnerPage(browser, site);
  const { page, hosted, element } = partner;
  const sent: string[] = [];
  page.on('request', (request) => {
    const isHosted = request.url().startsWith(site.applyUrl);
    // To the hosted application both are sent, in a form's body. In an address they would reach logs and histories.
    sent.push(request.url(), isHosted ? '' : JSON.stringify([request.headers(), request.postData()]));
  });
  const answered: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() || !response.url().startsWith(site.demoUrl)) return;
    if (!/events|feed/.test(response.url())) answered.push(response.text().catch(() => ''));
  });
  await page.evaluate(recordMessages);

  await partner.open();
  await applyWholly(hosted, { ssn, explanation });
  await partner.waitTold('licensing-complete');
  const messages = await page.evaluate(() => JSON.stringify(globalThis.heardMessages));
  const heap = await heapStrings(page);
  await element.getByRole('button', { name: 'Close' }).click();
  await element.getByRole('listitem').filter({ hasText: 'Approved' }).nth(1).waitFor();
  await partner.showTab('Backend');

  const partnerSide: Record<string, string> = {
    'the page as HTML': await page.content(),
    'the element’s shadow DOM': await element.evaluate((node) => node.shadowRoot?.innerHTML ?? ''),
    'the events of the element': JSON.stringify(await partner.told()),
    'the messages on the channel': messages,
    'the JavaScript heap of the page': heap,
    'requests and their addresses': sent.join('\n'),
    'answers of the partner’s backend': (await Promise.all(answered)).join('\n'),
    'what the backend received': (await partner.received()).join('\n'),
    'what the demo printed': site.output(),
    'the log of the bridge': await site.bridgeLog(),
  };
  for (const [place, text] of Object.entries(partnerSide)) {
    assert.ok(text.length > 0, `${place} was recorded`);
    for (const trace of traces) assert.ok(!text.includes(trace), `${place} contains what the user typed`);
  }
  // The searches can find something: what may be known is found in the same places by the same means.
  assert.match(messages, /"background"/);
  assert.match(heap, /heap-canary-of-the-test/);
  assert.match(sent.join('\n'), /licensing\/sessions/);
  assert.match(await site.bridgeLog(), /createSession|applications\/sessions/);

  assert.equal(await findInFiles(site.dataFolder, 'avery.sample@example.com'), true, 'the database files are searched');
  for (const trace of traces) assert.equal(await findInFiles(site.dataFolder, trace), false, 'a file contains it');
});

test('no page of the hosted application shows them again', async () => {
  const partner = await openPartnerPage(browser, site);
  const { hosted } = partner;
  await partner.open();
  await applyWholly(hosted, { ssn, explanation });
  await partner.waitTold('licensing-complete');
  const pages = partner.page.frames().filter((frame) => frame.url().startsWith(site.applyUrl));
  assert.equal(pages.length, 1);
  const receipt = (await pages[0]?.content()) ?? '';
  assert.match(receipt, /Texas/);
  for (const trace of traces) assert.ok(!receipt.includes(trace));
});

declare global {
   
  var heardMessages: unknown[];
   
  var heapCanary: string;
}

/** Keeps a copy of all that arrives in the page by message, on windows and on ports. */
function recordMessages(): void {
  globalThis.heardMessages = [];
  globalThis.heapCanary = ['heap-canary', 'of-the-test'].join('-');
  const hear = (event: Event) => globalThis.heardMessages.push((event as MessageEvent).data);
  window.addEventListener('message', hear);
  const start = Reflect.get(MessagePort.prototype, 'start') as (this: MessagePort) => void;
  MessagePort.prototype.start = function startAndHear() {
    this.addEventListener('message', hear);
    start.call(this);
  };
}

/** Every string that the page's JavaScript can reach, from a heap snapshot. The frame is another process: not in it. */
async function heapStrings(page: Page): Promise<string> {
  const inspector = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  inspector.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await inspector.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await inspector.detach();
  return chunks.join('');
}

async function findInFiles(folder: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // PostgreSQL makes and removes files while we read.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(wanted)) return true;
  }
  return false;
}
