import type { PlaywrightPage } from './playwright.js';

const prepared = new WeakSet<PlaywrightPage>();

/** Remembers that a page has a simulated service of its own. */
export function rememberPage(page: PlaywrightPage): void {
  prepared.add(page);
}

/** Whether a page, or else the one that opened it, has a simulated service of its own that is not `page`'s. */
export async function isOfAnother(asking: PlaywrightPage, page: PlaywrightPage): Promise<boolean> {
  let owner: PlaywrightPage | null = asking;
  while (owner && !prepared.has(owner)) owner = await owner.opener();
  return owner !== null && owner !== page;
}
