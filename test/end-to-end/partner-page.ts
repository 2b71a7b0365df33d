import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { applicationSteps, type ApplicationStep } from '../../src/contract/index.js';
import { eventNames } from '../../src/testing/index.js';
import type { Stage } from './stage.js';

/** An event of the element: its name and fields, as JSON. */
export interface ToldEvent {
  name: string;
  fields: Record<string, unknown>;
}

/** The partner's page in a separate browser, as a user and a developer see it. */
export interface PartnerPage {
  context: BrowserContext;
  page: Page;
  element: Locator;
  /** The hosted application inside the element. */
  hosted: FrameLocator;
  /** The uncaught errors and console errors of the page. Normally empty. */
  problems: string[];
  /** All events of the element so far, in order. */
  told(name?: string): Promise<ToldEvent[]>;
  /** Resolves after an event whose fields contain all of `fields`. */
  waitTold(name: string, fields?: Record<string, unknown>): Promise<void>;
  /** Resolves after the event of a step, when the element's header shows it. */
  seeStep(step: ApplicationStep): Promise<void>;
  /** Presses the button that opens the application. */
  open(): Promise<void>;
  /** The requests to the backend, oldest first, as in the developer view. */
  received(): Promise<string[]>;
}

/** Opens the developer view of the demo as a new user. */
export async function openPartnerPage(
  { browser, site }: Stage,
  options: { viewport?: { width: number; height: number }; path?: string; bypassCSP?: boolean } = {},
): Promise<PartnerPage> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1440, height: 1000 },
    bypassCSP: options.bypassCSP ?? false,
    // Smooth scrolling would move a control between aiming and clicking.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.addInitScript(recordEvents, eventNames);
  await page.goto(`${site.demoUrl}${options.path ?? '/developer/'}`);
  const element = page.locator('licensing-apply');
  return {
    context,
    page,
    element,
    hosted: element.frameLocator('iframe'),
    problems,
    told: (name) =>
      page.evaluate(
        (wanted) => globalThis.toldEvents.filter((event) => wanted === undefined || event.name === wanted),
        name,
      ),
    async waitTold(name, fields = {}) {
      await page.waitForFunction(
        ([wanted, part]) =>
          globalThis.toldEvents.some(
            (event) =>
              event.name === wanted &&
              Object.entries(part).every(([key, value]) => JSON.stringify(event.fields[key]) === JSON.stringify(value)),
          ),
        [name, fields] as const,
      );
    },
    async seeStep(step) {
      await page.waitForFunction(
        (wanted) =>
          globalThis.toldEvents.some(
            ({ name, fields }) =>
              name === 'licensing-progress' && (fields['snapshot'] as { step: string }).step === wanted,
          ),
        step,
      );
      const line = `Step ${applicationSteps.indexOf(step) + 1} of`;
      await element.getByText(line).first().waitFor();
    },
    open: () => element.getByRole('button', { name: /^(Start|Continue) application$/ }).click(),
    async received() {
      const entries = await page.locator('#timeline [data-source=backend]').allTextContents();
      return entries.map((text) => text.replace(/\s+/g, ' ').trim()).reverse();
    },
  };
}

declare global {
  var toldEvents: ToldEvent[];
}

/** Runs first in the partner's page. The events bubble, so the document receives all of them. */
function recordEvents(names: readonly string[]): void {
  globalThis.toldEvents = [];
  for (const name of names) {
    document.addEventListener(name, (event) => {
      const fields = Object.fromEntries(
        Object.entries(event).filter(([key, value]) => key !== 'isTrusted' && typeof value !== 'function'),
      );
      globalThis.toldEvents.push({ name, fields: JSON.parse(JSON.stringify(fields)) as Record<string, unknown> });
    });
  }
}
