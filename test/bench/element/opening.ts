import type { OpenMode } from 'licensing-apply';
import type { Contender } from '../rounds.js';
import type { Distance } from './latency.js';
import { type PartnerPages, startPartnerPages } from './partner-pages.js';
import { type Peer, peerNames } from './peers.js';
import type { Visits } from './visits.js';

/** The page to open, and the state of the browser's cache. */
export interface Opening {
  name: string;
  /** The element in a mode, a bare frame, in the page or in a dialog, or another package. */
  what: OpenMode | 'bare' | 'dialog' | Peer;
  /** Whether the page has the application URL, or requests it from its backend after the click. */
  by: 'address' | 'session';
  /** Whether the user pointed at the button before pressing it. */
  intent: boolean;
  /** `warm`: this browser opened the application before, and its connections have ended since. */
  cache: 'cold' | 'warm';
}

function isPeer(what: Opening['what']): what is Peer {
  return peerNames.some((name) => name === what);
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

  function openOnce(pages: PartnerPages): Promise<number> {
    const { pageUrl, source } = placeOf(pages);
    return visits.visit((reportUrl) => {
      const plan = JSON.stringify({ what, intent, restMs, source, reportUrl });
      return `${pageUrl}#${encodeURIComponent(plan)}`;
    });
  }

  function placeOf({ elementUrl, bareUrl, applicationUrl, sessionUrl, peers }: PartnerPages) {
    if (isPeer(what)) {
      const { pageUrl, applicationUrl: peerUrl } = peers[what];
      return { pageUrl, source: { applicationUrl: peerUrl } };
    }
    const source = by === 'address' ? { applicationUrl } : { sessionUrl };
    return { pageUrl: what === 'bare' || what === 'dialog' ? bareUrl : elementUrl, source };
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
