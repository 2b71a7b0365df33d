import type { PlaywrightPage } from './playwright.js';

const prepared = new WeakSet<PlaywrightPage>();

/** Marks a page as one with its own simulated service. */
export function markPrepared(page: PlaywrightPage): void {
  prepared.add(page);
}

/**
 * Whether a request of `source` belongs to the simulated service of another page than `page`. A
 * popup belongs to its opener.
 */
export async function belongsToOther(source: PlaywrightPage, page: PlaywrightPage): Promise<boolean> {
  let owner: PlaywrightPage | null = source;
  while (owner && !prepared.has(owner)) owner = await owner.opener();
  return owner !== null && owner !== page;
}
