import type { BrowserContext } from 'playwright-core';
import type { Comparison } from '../report.js';
import { measure, type Result } from '../rounds.js';
import { createOpening, type Opening } from './opening.js';

/** As on this machine, and as from a server some hundred kilometres away. */
const roundTripsMs = [0, 40];

const bare: Opening[] = [
  { name: 'bare, cold', what: 'bare', intent: false, cache: 'cold' },
  { name: 'bare, warm', what: 'bare', intent: false, cache: 'warm' },
];

const elements: (Opening & { target: Comparison['target'] })[] = [
  { name: 'preload="none", cold cache', what: 'element', intent: false, cache: 'cold', target: { most: 1.05 } },
  { name: 'preload="none", warm cache', what: 'element', intent: false, cache: 'warm', target: { most: 1.05 } },
  { name: 'preload="intent", cold cache', what: 'element', intent: true, cache: 'cold', target: { most: 1 } },
  { name: 'preload="intent", warm cache', what: 'element', intent: true, cache: 'warm', target: { most: 1 } },
];

/** From the click to `licensing-ready`, beside a bare frame of the same page, from the click to the first message that it posts. */
export async function compareOpening(browser: BrowserContext, rounds: number): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const roundTripMs of roundTripsMs) {
    const contenders = [...bare, ...elements].map((opening) => createOpening(browser, { roundTripMs }, opening));
    const results = await measure(contenders, rounds);
    const named = (name: string): Result => {
      const found = results.find((result) => result.name === name);
      if (!found) throw new Error(`${name} was not measured.`);
      return found;
    };
    for (const { name, cache, target } of elements) {
      const what = `click to ready, ${roundTripMs} ms away, ${name}`;
      comparisons.push({ what, unit: 'ms', ours: named(name), reference: named(`bare, ${cache}`), target });
    }
  }
  return comparisons;
}
