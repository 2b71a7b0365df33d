import type { BrowserContext } from 'playwright-core';
import type { Comparison } from '../report.js';
import { measure, type Result } from '../rounds.js';
import { createOpening, type Opening } from './opening.js';

/** As on this machine, and as from a server some hundred kilometres away. */
const roundTripsMs = [0, 40];

const caches = ['cold', 'warm'] as const;

/** From the click to `licensing-ready`, beside a bare frame of the same page, from the click to the first message that it posts. */
export async function compareOpening(browser: BrowserContext, rounds: number): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const roundTripMs of roundTripsMs)
    comparisons.push(...(await compareAt(roundTripMs, 'address', browser, rounds)));
  return comparisons;
}

/** The same where the page asks its own backend for a session first, as a bare frame has to as well. */
export function compareOpeningBySession(browser: BrowserContext, rounds: number): Promise<Comparison[]> {
  return compareAt(40, 'session', browser, rounds);
}

async function compareAt(
  roundTripMs: number,
  by: Opening['by'],
  browser: BrowserContext,
  rounds: number,
): Promise<Comparison[]> {
  const openings = caches.flatMap((cache): (Opening & { target?: Comparison['target'] })[] => [
    { name: `bare, ${cache}`, what: 'bare', by, intent: false, cache },
    { name: `preload="none", ${cache} cache`, what: 'element', by, intent: false, cache, target: { most: 1.05 } },
    { name: `preload="intent", ${cache} cache`, what: 'element', by, intent: true, cache, target: { most: 1 } },
  ]);
  const results = await measure(
    openings.map((opening) => createOpening(browser, { roundTripMs }, opening)),
    rounds,
  );
  const named = (name: string): Result => {
    const found = results.find((result) => result.name === name);
    if (!found) throw new Error(`${name} was not measured.`);
    return found;
  };
  return openings.flatMap(({ what, name, cache, target }) => {
    if (what === 'bare') return [];
    const place = `click to ready${by === 'session' ? ' by a session' : ''}, ${roundTripMs} ms away`;
    return [{ what: `${place}, ${name}`, unit: 'ms', ours: named(name), reference: named(`bare, ${cache}`), target }];
  });
}
