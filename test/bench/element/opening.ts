import type { OpenMode } from 'licensing-apply';
import type { Contender } from '../rounds.js';
import type { Distance } from './latency.js';
import { type PartnerPages, startPartnerPages } from './partner-pages.js';
import type { Visits } from './visits.js';

/** The page to open, and the state of the browser's cache. */
export interface Opening {
  name: string;
  /** The element in a mode, or a bare frame, in the page or in a dialog. */
  what: OpenMode | 'bare' | 'dialog';
  /** Whether the page has the application URL, or requests it from its backend after the click. */
  by: 'address' | 'session';
  /** Whether the user pointed at the button before pressing it. */
  intent: boolean;
  /** `warm`: this browser opened the application before, and its connections have ended since. */
  cache: 'cold' | 'warm';
}

/**
 * The time between pointing and pressing, at its shortest for people. All contenders wait for it,
 * so that all pages are idle.
 */
const restMs = 300;

/**
 * Creates the contender whose rounds are the milliseconds from the click to the application's first
 * message.
 */
export function createOpening(visits: Visits, distance: Distance, opening: Opening): Contender {
  const { name, what, by, intent, cache } = opening;

  function openOnce({ elementUrl, bareUrl, applicationUrl, sessionUrl }: PartnerPages): Promise<number> {
    const source = by === 'address' ? { applicationUrl } : { sessionUrl };
    return visits.visit((reportUrl) => {
      const plan = JSON.stringify({ what, intent, restMs, source, reportUrl });
      return `${what === 'bare' || what === 'dialog' ? bareUrl : elementUrl}#${encodeURIComponent(plan)}`;
    });
  }

  return {
    name,
    async round() {
      // At URLs of which the browser has nothing in its cache.
      const pages = await startPartnerPages(distance);
      try {
        if (cache === 'warm') {
          await openOnce(pages);
          pages.hangUp();
        }
        return await openOnce(pages);
      } finally {
        await pages.stop();
      }
    },
  };
}
