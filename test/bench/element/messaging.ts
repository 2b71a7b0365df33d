import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { bundleHostedEnd } from '../../support/hosted-end.js';
import { serveSite } from '../../package/static-site.js';
import type { Comparison } from '../report.js';
import { measure } from '../rounds.js';

/** Sequential: each call waits for the previous answer. */
const roundTripsARound = 500;

/**
 * Compares a call over our channel, with all its checks, with a bare port between the same two
 * windows that passes the same question and answer without checks.
 */
export async function compareTalking(browser: BrowserContext, rounds: number): Promise<Comparison[]> {
  const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
  const partner = await serveSite({
    '/cdn/': `${dist}cdn/`,
    '/': {
      body: html(`<script type="module" src="/cdn/licensing-apply.js"></script>
        <licensing-apply mode="inline"></licensing-apply><script type="module">${partnerScript}</script>`),
    },
  });
  const hosted = await serveSite({
    '/hosted.js': { body: await bundleHostedEnd(), headers: { 'content-type': 'text/javascript' } },
    '/': { body: html(`<script type="module">${hostedScript(partner.origin)}</script>`) },
  });
  try {
    const page = await browser.newPage();
    // Another name of the same machine, which is another site.
    await page.goto(`${partner.origin}/?hosted=${hosted.origin.replace('//localhost', '//127.0.0.1')}`);
    await page.waitForFunction(() => 'ask' in globalThis);
    const contenders = (['element', 'port'] as const).map((name) => ({ name, round: () => timeAnswers(page, name) }));
    const [ours, reference] = await measure(contenders, rounds);
    if (!ours || !reference) throw new Error('Nothing was measured.');
    return [{ what: 'message round trip', unit: 'µs', ours, reference, target: { most: 1.4 } }];
  } finally {
    partner.close();
    hosted.close();
  }
}

declare global {
  /** Sends one call and resolves with its answer, over our channel or a bare port. */
  var ask: Record<'element' | 'port', () => Promise<unknown>>;
}

/** Resolves with the microseconds per call, measured over many calls. */
function timeAnswers(page: Page, whom: keyof typeof ask): Promise<number> {
  return page.evaluate(
    async ([asked, count]) => {
      const startedAt = performance.now();
      for (let times = 0; times < count; times += 1) await globalThis.ask[asked]();
      return ((performance.now() - startedAt) * 1_000) / count;
    },
    [whom, roundTripsARound] as const,
  );
}

/** Opens the application in the query, and gives its page another port. */
const partnerScript = `
  await customElements.whenDefined('licensing-apply');
  const element = document.querySelector('licensing-apply');
  const origin = new URLSearchParams(location.search).get('hosted');
  element.applicationUrl = origin + '/';
  const ready = new Promise((resolve) => element.addEventListener('licensing-ready', resolve, { once: true }));
  await element.show();
  await ready;
  const { port1, port2 } = new MessageChannel();
  element.renderRoot.querySelector('iframe').contentWindow.postMessage('port', origin, [port2]);
  const askPort = () =>
    new Promise((resolve) => {
      port1.onmessage = resolve;
      port1.postMessage({ type: 'navigateBack', payload: {} });
    });
  // Resolves when the port has arrived there.
  await askPort();
  globalThis.ask = { element: () => element.navigateBack(), port: askPort };`;

function hostedScript(partnerOrigin: string): string {
  return `
    import { connectHostedPage } from '/hosted.js';
    connectHostedPage({
      allowedOrigins: ['${partnerOrigin}'],
      snapshot: { step: 'profile', index: 1, count: 6, dirty: false, states: [] },
      navigateBack: () => false,
    });
    addEventListener('message', ({ data, ports: [port] }) => {
      if (data === 'port') port.onmessage = () => port.postMessage({ moved: false });
    });`;
}

function html(content: string): string {
  return `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">${content}</html>`;
}
