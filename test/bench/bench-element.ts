/**
 * `npm run bench:element`: what the element costs beside a bare frame, a bare port, what was promised and what others bring.
 * Ratios, medians of interleaved rounds. Arguments choose parts: `opening sessions messages sizes`; without any, all run.
 */
import type { BrowserContext } from 'playwright-core';
import { launchPersonalChromium } from '../support/chromium.js';
import { compareOpening, compareOpeningBySession } from './element/opening-cost.js';
import { compareSizes } from './element/sizes.js';
import { compareTalking } from './element/talking.js';
import { wantedParts } from './parts.js';
import { report, type Comparison } from './report.js';

const parts: Record<string, (browser: BrowserContext) => Promise<Comparison[]>> = {
  opening: (browser) => compareOpening(browser, 25),
  sessions: (browser) => compareOpeningBySession(browser, 25),
  messages: (browser) => compareTalking(browser, 25),
  sizes: () => compareSizes(),
};

const wanted = wantedParts(parts);
const browser = await launchPersonalChromium();
try {
  const comparisons: Comparison[] = [];
  for (const part of wanted) comparisons.push(...(await part(browser)));
  process.exitCode = report(comparisons) ? 0 : 1;
} finally {
  await browser.close();
}
