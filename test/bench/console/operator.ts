import type { Browser, Locator, Page } from 'playwright-core';

/** What a task takes an operator in the console. */
export interface Effort {
  /** Pages that were loaded. A redirect is a part of the page that it leads to. */
  pages: number;
  /** With the pointer, also into a field before its text is typed. */
  clicks: number;
  /** Characters that were typed. */
  characters: number;
  /** From a click until the next page has loaded, or a file has arrived. */
  waitedMs: number;
}

/** A page or file for which an operator has waited. */
export interface Wait {
  /** The path, without ids. */
  path: string;
  ms: number;
}

/** An operator at a desktop, whose every click and character is counted. */
export interface CountedOperator {
  page: Page;
  /** All waits, in order. */
  waits: readonly Wait[];
  /** Opens an address without a click, such as a bookmark. */
  open(url: string): Promise<void>;
  /** Clicks what leads to another page, and waits for it. */
  follow(target: Locator): Promise<void>;
  /** Clicks what stays on the page. */
  click(target: Locator): Promise<void>;
  /** Clicks into a field and types. */
  type(field: Locator, text: string): Promise<void>;
  /** Runs a task. Resolves with what it took. */
  perform(task: () => Promise<void>): Promise<Effort>;
  close(): Promise<void>;
}

const noEffort: Readonly<Effort> = { pages: 0, clicks: 0, characters: 0, waitedMs: 0 };

/** Opens a window for an operator, as wide as a laptop. */
export async function openWindow(browser: Browser): Promise<CountedOperator> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const waits: Wait[] = [];
  let effort = { ...noEffort };

  function waited(path: string, ms: number): void {
    waits.push({ path, ms });
    effort.waitedMs += ms;
  }
  async function load(leave: () => Promise<unknown>): Promise<void> {
    await Promise.all([page.waitForEvent('load'), leave()]);
    effort.pages += 1;
    waited(pathWithoutIds(page.url()), await loadingMs(page));
  }
  async function click(target: Locator): Promise<void> {
    effort.clicks += 1;
    await target.click();
  }

  return {
    page,
    waits,
    click,
    open: (url) => load(() => page.goto(url)),
    follow: (target) => load(() => click(target)),
    async type(field, text) {
      await click(field);
      await field.pressSequentially(text);
      effort.characters += text.length;
    },
    async perform(task) {
      effort = { ...noEffort };
      await task();
      return effort;
    },
    close: () => context.close(),
  };
}

/** As the page measured it, because the driver of the browser takes time before and after. */
function loadingMs(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const [loading] = performance.getEntriesByType('navigation');
    if (!(loading instanceof PerformanceNavigationTiming)) throw new Error('The browser measures no navigation.');
    while (loading.loadEventEnd === 0) await new Promise((resolve) => setTimeout(resolve));
    return loading.duration;
  });
}

function pathWithoutIds(url: string): string {
  return new URL(url).pathname.replace(/\/app_[^/]+/, '/:id').replace(/\/[A-Z]{2}(?=\/|$)/, '/:state');
}
