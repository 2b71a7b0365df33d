import type { OpenMode } from 'licensing-apply';
import type { Contender } from '../rounds.js';
import type { Distance } from './distance.js';
import { type PartnerPages, startPartnerPages } from './partner-pages.js';
import type { Visits } from './visits.js';

/** The page to open, and the state of the browser's cache. */
export interface Opening {
  name: string;
  /** The element in a mode, or a frame without it: in the page, or in a dialog. */
  what: OpenMode | 'bare' | 'dialog';
  /**
   * Whether the page has the address of the application, or asks its own backend for it after the
   * click.
   */
  by: 'address' | 'session';
  /** Whether the user pointed at the button before pressing it. */
  intent: boolean;
  /**
   * Whether this browser was on the page before, and opened there: `warm`. The connections of then
   * have ended.
   */
  cache: 'cold' | 'warm';
}

/**
 * How long a hand rests on a button before it presses: what people take at least. With all
 * contenders, so that all pages are at rest.
 */
const restMs = 300;

/**
 * Creates the contender whose rounds are milliseconds from the click to the first word of the
 * application.
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
      // At addresses that the browser has nothing of.
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
