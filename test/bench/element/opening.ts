import type { OpenMode } from 'licensing-apply';
import type { BrowserContext, Page } from 'playwright-core';
import type { Contender } from '../rounds.js';
import type { Distance } from './distance.js';
import { type PartnerPages, startPartnerPages } from './partner-pages.js';

/** What is opened, and what the browser has of it already. */
export interface Opening {
  name: string;
  /** The element in a mode, or a frame without it: in the page, or in a dialog. */
  what: OpenMode | 'bare' | 'dialog';
  /** Whether the page has the address of the application, or asks its own backend for it after the click. */
  by: 'address' | 'session';
  /** Whether the user pointed at the button before pressing it. */
  intent: boolean;
  /** Whether this browser was on the page before, and opened there: `warm`. The connections of then have ended. */
  cache: 'cold' | 'warm';
}

/** How long a hand rests on a button before it presses: what people take at least. With all contenders, so that all pages are at rest. */
const restMs = 300;

/** Creates the contender whose rounds are milliseconds from the click to the first word of the application. */
export function createOpening(browser: BrowserContext, distance: Distance, opening: Opening): Contender {
  const { name, what, intent, cache } = opening;

  async function openOnce(pages: PartnerPages): Promise<number> {
    const page = await browser.newPage();
    await page.goto(isBare(what) ? pages.bareUrl : pages.elementUrl);
    await prepare(page, opening, pages);
    if (intent) {
      await page.evaluate(() => {
        document.querySelector('[data-trigger]')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      });
    }
    await page.waitForTimeout(restMs);
    // A page that fails says no first word.
    const failed = new Promise<never>((_, reject) => page.once('pageerror', reject));
    const ms = await Promise.race([failed, page.evaluate(() => globalThis.press())]);
    await page.close();
    return ms;
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

function isBare(what: Opening['what']): boolean {
  return what === 'bare' || what === 'dialog';
}

declare global {
  /** Presses the button; resolves with the milliseconds until the application said its first word. */
  var press: () => Promise<number>;
}

async function prepare(page: Page, { what, by, intent }: Opening, pages: PartnerPages): Promise<void> {
  const { applicationUrl, sessionUrl } = pages;
  await page.evaluate(
    async ([contender, isBare, preload, source]) => {
      const main = document.querySelector('main') ?? document.body;
      const trigger = document.createElement('button');
      trigger.dataset['trigger'] = '';
      if (!isBare) {
        await customElements.whenDefined('licensing-apply');
        const element = document.createElement('licensing-apply');
        Object.assign(element, { ...source, preload, mode: contender });
        trigger.slot = 'trigger';
        element.append(trigger);
        main.append(element);
        await element.updateComplete;
        globalThis.press = () => {
          const pressedAt = performance.now();
          const ready = new Promise<number>((resolve, reject) => {
            element.addEventListener('licensing-ready', () => resolve(performance.now() - pressedAt));
            element.addEventListener('licensing-error', ({ code }) => reject(new Error(code)));
          });
          trigger.click();
          return ready;
        };
      } else {
        main.append(trigger);
        trigger.addEventListener('click', () => {
          const session: Promise<{ applicationUrl: string }> | undefined =
            'sessionUrl' in source
              ? fetch(source.sessionUrl, { method: 'POST' }).then((answer) => answer.json())
              : undefined;
          const frame = document.createElement('iframe');
          frame.style.cssText = 'width:600px;height:600px';
          if ('applicationUrl' in source) frame.src = source.applicationUrl;
          void session?.then(({ applicationUrl }) => (frame.src = applicationUrl));
          if (contender === 'dialog') {
            const dialog = document.createElement('dialog');
            dialog.append(frame);
            main.append(dialog);
            dialog.showModal();
          } else main.append(frame);
        });
        globalThis.press = () => {
          const pressedAt = performance.now();
          const first = new Promise<number>((resolve) => {
            addEventListener('message', ({ source }) => {
              if (source === document.querySelector('iframe')?.contentWindow) resolve(performance.now() - pressedAt);
            });
          });
          trigger.click();
          return first;
        };
      }
    },
    [
      what,
      isBare(what),
      intent ? 'intent' : 'none',
      by === 'address' ? { applicationUrl } : { sessionUrl, applicationOrigin: new URL(applicationUrl).origin },
    ] as const,
  );
}
