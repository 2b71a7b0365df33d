/**
 * `npm run bench:element`: what the element costs beside a bare frame, a bare port, what was promised and what others bring.
 * Ratios, medians of interleaved rounds. Arguments choose parts: `opening messages sizes`; without any, all run.
 */
import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, ensure } from '../support/browsers.mjs';
import { compareOpening } from './element/opening-cost.js';
import { compareSizes } from './element/sizes.js';
import { compareTalking } from './element/talking.js';
import { wantedParts } from './parts.js';
import { report, type Comparison } from './report.js';

const parts: Record<string, (browser: Browser) => Promise<Comparison[]>> = {
  opening: (browser) => compareOpening(browser, 25),
  messages: (browser) => compareTalking(browser, 25),
  sizes: () => compareSizes(),
};

const wanted = wantedParts(parts);
const browser = await chromium.launch({
  executablePath: ensure('chromium'),
  // Another site gets a process of its own, as users have it.
  args: [...chromiumArguments, '--site-per-process'],
});
try {
  const comparisons: Comparison[] = [];
  for (const part of wanted) comparisons.push(...(await part(browser)));
  process.exitCode = report(comparisons) ? 0 : 1;
} finally {
  await browser.close();
}
