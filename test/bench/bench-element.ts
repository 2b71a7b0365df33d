/**
 * `npm run bench:element`: compares the element with a bare frame, a bare port, its limits and
 * other packages. Ratios, medians of interleaved rounds. Arguments select parts:
 * `here opening sessions phone messages sizes`. Default: all.
 */
import { launchPersonalChromium } from '../support/chromium.js';
import { compareOnPhone, compareOpening, compareOpeningBySession, compareOpeningHere } from './element/opening-cost.js';
import { compareSizes } from './element/sizes.js';
import { startSlowVisits } from './element/slow-visits.js';
import { compareTalking } from './element/messaging.js';
import { startVisits, type Visits } from './element/visits.js';
import { wantedParts } from './parts.js';
import { report, type Comparison } from './report.js';

const rounds = 25;
/** A cheap phone against a laptop, as in Chromium's developer tools. */
const slowdown = 4;
const roundsOnPhone = 9;

const parts: Record<string, () => Promise<Comparison[]>> = {
  // Twice as many rounds, because without a network the browser's other work is a large part of the
  // time.
  here: () => withVisits((visits) => compareOpeningHere(visits, 2 * rounds)),
  opening: () => withVisits((visits) => compareOpening(visits, rounds)),
  sessions: () => withVisits((visits) => compareOpeningBySession(visits, rounds)),
  async phone() {
    const comparisons: Comparison[] = [];
    for (const measured of ['ms', 'main thread', 'layouts', 'styles'] as const) {
      const visits = await startSlowVisits(slowdown, measured);
      const few = measured === 'ms' ? roundsOnPhone : 3;
      comparisons.push(...(await compareOnPhone(visits, measured, few).finally(() => visits.close())));
    }
    return comparisons;
  },
  async messages() {
    const browser = await launchPersonalChromium();
    return compareTalking(browser, rounds).finally(() => browser.close());
  },
  sizes: () => compareSizes(),
};

async function withVisits(compare: (visits: Visits) => Promise<Comparison[]>): Promise<Comparison[]> {
  const visits = await startVisits();
  return compare(visits).finally(() => visits.close());
}

// Each part is printed when it is measured, because all parts take a quarter of an hour.
for (const part of wantedParts(parts)) if (!report(await part())) process.exitCode = 1;
