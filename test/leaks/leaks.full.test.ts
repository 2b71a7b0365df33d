import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type Counts, createCounter } from './counts.js';
import { type PartnerSite, startPartnerSite } from './partner-site.js';

/** The repeated action. */
interface Cycles {
  count: number;
  mode: 'modal' | 'inline' | 'popup';
  /** Whether each cycle has a new element. */
  element: 'new' | 'same';
  applicationUrl: string;
  /** Plants a leak that the test must find: a listener that keeps the element of its cycle. */
  isLeaking: boolean;
}

/** The memory that the first openings need: code, styles, texts. */
const warmUpCycles = 10;
/** More than the engine needs per call, and less than one additional object. */
const heapBytesPerCycle = 1_000;

const cycles = 60;

let browser: Browser;
let site: PartnerSite;

before(async () => {
  site = await startPartnerSite();
  // Only the objects of the partner's page are counted.
  browser = await launchChromium({ isolatesSites: true });
});

after(async () => {
  await browser.close();
  await site.stop();
});

/** The difference after the openings. */
async function growth(planned: Pick<Cycles, 'mode' | 'element' | 'isLeaking'>): Promise<Counts> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(site.pageUrl);
  const { applicationUrl } = site;
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('licensing-apply')));
  await openAndClose(page, { ...planned, applicationUrl, count: warmUpCycles, isLeaking: false });
  const counter = await createCounter(page);
  const first = await counter.count();
  await openAndClose(page, { ...planned, applicationUrl, count: cycles });
  const last = await counter.count();
  await context.close();
  const names = Object.keys(first) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, last[name] - first[name]])) as unknown as Counts;
}

describe(`${cycles} openings leave nothing behind`, () => {
  for (const mode of ['modal', 'inline', 'popup'] as const) {
    for (const element of ['same', 'new'] as const) {
      it(`${cycles} openings in mode ${mode} ${element === 'same' ? 'of one element' : 'of new elements'} leave nothing behind`, async (t) => {
        const { heapBytes, ...counts } = await growth({ mode, element, isLeaking: false });
        t.diagnostic(`heap ${heapBytes} bytes, ${(heapBytes / cycles).toFixed(0)} for each`);
        assert.deepEqual(counts, {
          nodes: 0,
          listeners: 0,
          documents: 0,
          elements: 0,
          frames: 0,
          ports: 0,
          channels: 0,
        });
        assert.ok(heapBytes < heapBytesPerCycle * Math.max(cycles, 100), `${heapBytes} bytes`);
      });
    }
  }

  it('a planted leak is found', async () => {
    const { nodes, listeners, elements } = await growth({ mode: 'modal', element: 'new', isLeaking: true });
    // Not compared with the last opening, which the engine may still hold.
    const isNoticed = elements > cycles / 2 && listeners > cycles && nodes > 10 * cycles;
    assert.ok(isNoticed, JSON.stringify({ nodes, listeners, elements }));
  });
});

/** Opens and closes the application this number of times, connected each time. */
async function openAndClose(page: Page, cycles: Cycles): Promise<void> {
  await page.evaluate(async ({ count, mode, element: which, applicationUrl, isLeaking }: Cycles) => {
    const place = document.querySelector('main');
    const used = document.querySelector('licensing-apply');
    let element = which === 'same' ? used : null;
    for (let cycle = 0; cycle < count; cycle += 1) {
      if (!element) {
        element = document.createElement('licensing-apply');
        place?.append(element);
      }
      const current = element;
      Object.assign(current, { mode, applicationUrl });
      const ready = new Promise((resolve) => {
        current.addEventListener('licensing-ready', resolve, { once: true });
      });
      const opened = await current.show();
      if (!opened) throw new Error('It did not open.');
      await ready;
      if (isLeaking) window.addEventListener('message', () => current.state);
      await current.close({ force: true });
      await current.updateComplete;
      if (which === 'same') continue;
      current.remove();
      element = null;
    }
  }, cycles);
}
