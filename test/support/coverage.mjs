/** Adds up the lcov files of several suites and shows which lines of `src/` none of them ran. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * One table: a row a room, then the files with lines that no test ran.
 * @param {string[]} paths of lcov files; one that is not there counts for nothing
 */
export function coverageTable(paths) {
  const files = readCoverage(paths.filter((path) => existsSync(path)));
  if (files.size === 0) return 'No coverage was measured.';
  const rows = [...roomsOf(files)].map(([room, lines]) => [room, share(lines), '']);
  for (const [path, lines] of [...files].sort()) {
    const missed = [...lines].filter(([, runs]) => runs === 0).map(([line]) => line);
    if (missed.length > 0) rows.push([`  ${path}`, share([...lines.values()]), ranges(missed)]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return ['Coverage (lines run, then lines that no test ran)', ...rows.map((row) => formatRow(row, width))].join('\n');
}

function readCoverage(paths) {
  const files = new Map();
  for (const path of paths) {
    let lines;
    for (const record of readFileSync(path, 'utf8').split('\n')) {
      if (record.startsWith('SF:')) {
        const file = relative(process.cwd(), record.slice(3));
        lines = files.get(file) ?? new Map();
        if (file.startsWith('src/')) files.set(file, lines);
      } else if (record.startsWith('DA:')) {
        const [line, runs] = record.slice(3).split(',').map(Number);
        lines.set(line, (lines.get(line) ?? 0) + runs);
      }
    }
  }
  return files;
}

function roomsOf(files) {
  const rooms = new Map([['all of src/', []]]);
  for (const [path, lines] of [...files].sort()) {
    const room = path.split('/')[1];
    if (!rooms.has(room)) rooms.set(room, []);
    rooms.get(room).push(...lines.values());
    rooms.get('all of src/').push(...lines.values());
  }
  return rooms;
}

function share(lines) {
  const run = lines.filter((runs) => runs > 0).length;
  return `${((100 * run) / Math.max(lines.length, 1)).toFixed(1)} %`;
}

/** 3, 4, 5, 9 → "3–5 9" */
function ranges(numbers) {
  const found = [];
  for (const number of numbers.sort((left, right) => left - right)) {
    const last = found.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(' ');
}

function formatRow([name, percent, missed], width) {
  return `${name.padEnd(width)}  ${percent.padStart(7)}  ${missed}`.trimEnd();
}
