import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { applyWholly } from './applicant.js';
import { openPartnerPage } from './partner-page.js';
import { useStage } from './stage.js';

// Canaries: nothing else on the machine contains them, so any hit is a leak.
const ssn = '900-48-7193';
const explanation = 'quokka-answer-canary-5f1c';
const profile = { otherNames: 'Numbat Othername-Canary', employer: 'Bilby Employer-Canary' };
const documentName = 'wombat-name-canary-4b7e.pdf';
const documentText = 'wombat-text-canary-90ad';
const traces = [
  ...[ssn, ssn.replaceAll('-', ''), '48-7193', explanation],
  ...Object.values(profile),
  ...[documentName, documentText],
];

const folder = await mkdtemp(join(tmpdir(), 'received-'));
const recording = join(folder, 'bodies');
const courtPapers = join(folder, documentName);
await writeFile(courtPapers, `%PDF-1.7\n${documentText}\n%%EOF\n`);
const secrets = { ssn, explanation, profile, courtPapers };

// Every line that the bridge can write, not only those of the default level.
const stage = useStage({
  LOG_LEVEL: 'debug',
  NODE_OPTIONS: `--import=${new URL('record-received.mjs', import.meta.url).href}`,
  RECORD_RECEIVED: recording,
});

after(() => rm(folder, { recursive: true }));

test('the SSN, the answers, the profile and the documents of a user are nowhere on the partner’s side, nor in logs or the database files', async () => {
  const partner = await openPartnerPage(stage);
  const { page, hosted, element } = partner;
  const sent: string[] = [];
  page.on('request', (request) => {
    const isHosted = request.url().startsWith(stage.site.applyUrl);
    // Both are sent to the hosted application in the body of a form. URLs would reach logs and
    // histories.
    sent.push(request.url(), isHosted ? '' : JSON.stringify([request.headers(), request.postData()]));
  });
  const answered: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() || !response.url().startsWith(stage.site.demoUrl)) return;
    if (!/events|timeline/.test(response.url())) answered.push(response.text().catch(() => ''));
  });
  await page.evaluate(await readFile(new URL('record-messages.js', import.meta.url), 'utf8'));

  await partner.open();
  await applyWholly(hosted, secrets);
  await partner.waitTold('licensing-complete');
  const messages = await page.evaluate(() => JSON.stringify(globalThis.heardMessages));
  const heap = await heapStrings(page);
  const frame = page.frames().find((candidate) => candidate.url().startsWith(stage.site.applyUrl));
  const receipt = (await frame?.content()) ?? '';
  await element.getByRole('button', { name: 'Close' }).click();
  await element.getByRole('listitem').filter({ hasText: 'Approved' }).nth(1).waitFor();

  const received = await readFile(recording, 'utf8');
  const places: Record<string, string> = {
    'the receipt of the hosted application': receipt,
    'the page as HTML': await page.content(),
    'the element’s shadow DOM': await element.evaluate((node) => node.shadowRoot?.innerHTML ?? ''),
    'the events of the element': JSON.stringify(await partner.told()),
    'the messages on the channel': messages,
    'the JavaScript heap of the page': heap,
    'requests and their addresses': sent.join('\n'),
    'answers of the partner’s backend': (await Promise.all(answered)).join('\n'),
    'the requests to the backend, as logged': (await partner.received()).join('\n'),
    'the requests to the backend, on the wire': received,
    'the output of the demo': stage.site.output(),
    'the log of the bridge': await stage.site.bridgeLog(),
  };
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 0, `${place} was recorded`);
    for (const trace of traces) assert.ok(!text.includes(trace), `${place} contains the user's secret input`);
  }
  // Controls: the same searches find allowed values in the same places.
  assert.match(receipt, /Texas/);
  assert.match(messages, /"background"/);
  assert.match(received, /"type":"application\.status_changed"/);
  assert.match(heap, /heap-canary-of-the-test/);
  assert.match(sent.join('\n'), /licensing\/sessions/);
  assert.match(await stage.site.bridgeLog(), /createSession|applications\/sessions/);

  assert.equal(
    await findInFiles(stage.site.dataFolder, 'avery.sample@example.com'),
    true,
    'the database files are searched',
  );
  for (const trace of traces)
    assert.equal(await findInFiles(stage.site.dataFolder, trace), false, 'a file contains it');
});

declare global {
  var heardMessages: unknown[];
}

/**
 * Every string that the page's JavaScript can reach, from a heap snapshot. The frame is another
 * process: not in it.
 */
async function heapStrings(page: Page): Promise<string> {
  const inspector = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  inspector.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await inspector.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await inspector.detach();
  // Strings only, because the rest of a snapshot is numbers, which contain any six digits by
  // chance.
  return (JSON.parse(chunks.join('')) as { strings: string[] }).strings.join('\n');
}

async function findInFiles(folder: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // PostgreSQL creates and removes files during the search.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(wanted)) return true;
  }
  return false;
}
