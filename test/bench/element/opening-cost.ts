import type { OpenMode } from 'licensing-apply';
import type { Comparison } from '../report.js';
import { measure, type Result } from '../rounds.js';
import type { Distance } from './latency.js';
import { createOpening, type Opening } from './opening.js';
import { peerNames } from './peers.js';
import type { Measured } from './slow-visits.js';
import type { Visits } from './visits.js';

/** The place and the way of an opening. */
interface Place extends Distance {
  modes: readonly OpenMode[];
  /**
   * Whether a frame in a bare dialog is measured too. Without a network, the dialog is a large part
   * of the time.
   */
  hasDialog?: boolean;
  /** Whether other packages are measured too. */
  hasPeers?: boolean;
}

/** A server in the same town, and one some hundred kilometres away. */
const places: readonly Place[] = [
  { roundTripMs: 10, modes: ['modal'] },
  { roundTripMs: 40, modes: ['modal', 'inline'], hasPeers: true },
];

/** The measurements and their limits. */
interface Candidate extends Opening {
  target?: Comparison['target'];
}

const caches = ['cold', 'warm'] as const;

/**
 * Measures from the click to `licensing-ready`, against a bare frame of the same page, from the
 * click to its first message.
 */
export async function compareOpening(visits: Visits, rounds: number): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const place of places) comparisons.push(...(await compareAt(place, 'address', visits, rounds)));
  return comparisons;
}

/**
 * Measures the same on a phone: a page that is slowed down. In units of `measured`, such as the work of
 * the page's main thread until then.
 */
export async function compareOnPhone(visits: Visits, measured: Measured, rounds: number): Promise<Comparison[]> {
  const phone: Place = { roundTripMs: 40, modes: ['modal'], hasPeers: measured === 'ms' };
  const comparisons = await compareAt(phone, 'address', visits, rounds);
  return comparisons.map((each) => ({
    ...each,
    what: `on a phone, ${measured}: ${each.what}`,
    unit: measured === 'ms' || measured === 'main thread' ? 'ms' : measured,
    // Others have no goal.
    target: measured === 'ms' && each.target ? { most: 1.15 } : undefined,
  }));
}

/** Measures the same on this machine, without a network. */
export function compareOpeningHere(visits: Visits, rounds: number): Promise<Comparison[]> {
  return compareAt({ roundTripMs: 0, modes: ['modal'], hasDialog: true }, 'address', visits, rounds);
}

/**
 * Measures the same when the page first requests a session from its backend, as the bare frame must
 * too.
 */
export function compareOpeningBySession(visits: Visits, rounds: number): Promise<Comparison[]> {
  return compareAt({ roundTripMs: 40, modes: ['modal'] }, 'session', visits, rounds);
}

async function compareAt(
  { roundTripMs, modes, hasDialog = false, hasPeers = false }: Place,
  by: Opening['by'],
  visits: Visits,
  rounds: number,
): Promise<Comparison[]> {
  const where = `click to ready${by === 'session' ? ' by a session' : ''}, ${roundTripMs} ms away`;
  const openings = caches.flatMap((cache): Candidate[] => [
    { name: `bare, ${cache}`, what: 'bare', by, intent: false, cache },
    ...(hasDialog
      ? [{ name: `${where}, a bare dialog, ${cache} cache`, what: 'dialog', by, intent: false, cache } as const]
      : []),
    ...(hasPeers ? peerNames : []).map((what): Candidate => ({
      name: `${where}, ${what}, ${cache} cache`,
      what,
      by,
      intent: false,
      cache,
    })),
    ...modes.flatMap((what): Candidate[] =>
      [false, true].map((intent) => ({
        name: `${where}, ${what}, preload="${intent ? 'intent' : 'none'}", ${cache} cache`,
        ...{ what, by, intent, cache },
        target: { most: intent ? 1 : 1.1 },
      })),
    ),
  ]);
  const results = await measure(
    openings.map((opening) => createOpening(visits, { roundTripMs }, opening)),
    rounds,
  );
  const named = (name: string): Result => {
    const found = results.find((result) => result.name === name);
    if (!found) throw new Error(`${name} was not measured.`);
    return found;
  };
  return openings.flatMap(({ what, name, cache, target }) =>
    what === 'bare' ? [] : [{ what: name, unit: 'ms', ours: named(name), reference: named(`bare, ${cache}`), target }],
  );
}
