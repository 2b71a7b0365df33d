import type { Result } from './rounds.js';

/** A row of the report: our result and the reference of the same run. */
export interface Comparison {
  what: string;
  /** Such as `requests/s`. */
  unit: string;
  ours: Result;
  reference: Result;
  /** The target ratio: a minimum for rates, a maximum for durations. `undefined`: none. */
  target: { least: number } | { most: number } | undefined;
}

/** Prints comparisons as a Markdown table. Resolves with whether every target was met. */
export function report(comparisons: readonly Comparison[]): boolean {
  const lines = comparisons.map((each) => {
    const ratio = each.ours.median / each.reference.median;
    return { target: each.target, met: meets(ratio, each.target), cells: cellsOf(each, ratio) };
  });
  const header = ['', 'ours', 'reference', 'ratio', 'target', ''];
  const rows = [
    header,
    header.map(() => '---'),
    ...lines.map(({ target, met, cells }) => [...cells, target === undefined ? '' : met ? 'met' : 'MISSED']),
  ];
  process.stdout.write(`${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
  return lines.every(({ met }) => met);
}

function meets(ratio: number, target: Comparison['target']): boolean {
  if (target === undefined) return true;
  return 'least' in target ? ratio >= target.least : ratio <= target.most;
}

function cellsOf({ what, unit, ours, reference, target }: Comparison, ratio: number): string[] {
  const wanted = target === undefined ? '' : 'least' in target ? `≥ ${target.least}×` : `≤ ${target.most}×`;
  return [what, describe(ours, unit), describe(reference, unit), `${ratio.toFixed(2)}×`, wanted];
}

function describe({ median, range: [low, high] }: Result, unit: string): string {
  return low === high ? `${short(median)} ${unit}` : `${short(median)} ${unit} (${short(low)}–${short(high)})`;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
