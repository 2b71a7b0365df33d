import { summarise } from '../rounds.js';
import type { Day, Task } from './day.js';
import type { Effort, Wait } from './operator.js';

/**
 * Seconds of a person, as in the keystroke-level model: a click with the pointing before it, a
 * character, and the preparation at each page.
 */
const model = { click: 1.1, character: 0.2, page: 1.35 };

/** Prints a day as Markdown: the tasks, the pages by their time, and the values to copy. */
export function reportDay({ tasks, waits, valuesToCopy }: Day): void {
  const lines = [
    ...tableOf(
      ['Task', 'Pages', 'Clicks', 'Characters', 'Waiting', 'Estimated time'],
      [...tasks, sumOf(tasks)].map(cellsOf),
    ),
    '',
    ...tableOf(['Page', 'Loaded', 'Median', 'Longest'], waitRows(waits)),
    '',
    `Values to copy into the form of a state: ${Math.min(...valuesToCopy)} to ${Math.max(...valuesToCopy)} a filing.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function tableOf(header: readonly string[], rows: readonly string[][]): string[] {
  return [header, header.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

function sumOf(tasks: readonly Task[]): Task {
  const sum = (of: keyof Effort) => tasks.reduce((total, task) => total + task[of], 0);
  return {
    what: 'all',
    pages: sum('pages'),
    clicks: sum('clicks'),
    characters: sum('characters'),
    waitedMs: sum('waitedMs'),
  };
}

function cellsOf(task: Task): string[] {
  const { what, pages, clicks, characters, waitedMs } = task;
  return [what, ...[pages, clicks, characters].map(String), seconds(waitedMs / 1_000), seconds(estimate(task))];
}

function estimate({ pages, clicks, characters, waitedMs }: Effort): number {
  return clicks * model.click + characters * model.character + pages * model.page + waitedMs / 1_000;
}

/** The slowest pages first. */
function waitRows(waits: readonly Wait[]): string[][] {
  const paths = [...new Set(waits.map(({ path }) => path))];
  return paths
    .map((path) => {
      const values = waits.flatMap((wait) => (wait.path === path ? [wait.ms] : []));
      return { loaded: values.length, ...summarise(path, values) };
    })
    .toSorted((left, right) => right.median - left.median)
    .map(({ name, loaded, median, range: [, longest] }) => [
      name,
      String(loaded),
      milliseconds(median),
      milliseconds(longest),
    ]);
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
