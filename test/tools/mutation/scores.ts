/** Reads the reports of StrykerJS: scores by folder, and the mutants that no test notices. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { schema } from '@stryker-mutator/api/core';
import type { MutationGroup } from './groups.js';

/** The mutants of a folder. */
export interface Score {
  folder: string;
  detected: number;
  undetected: number;
  /** The share of detected mutants, in percent. */
  percent: number;
}

/** A mutant that no test notices. */
export interface Survivor {
  file: string;
  line: number;
  column: number;
  /** The mutator's name, such as `ConditionalExpression`. */
  mutator: string;
  replacement: string;
  isCovered: boolean;
}

const detected: readonly schema.MutantStatus[] = ['Killed', 'Timeout', 'RuntimeError'];
const undetected: readonly schema.MutantStatus[] = ['Survived', 'NoCoverage'];

/** The results of the groups that ran. */
export function readMutants(groups: readonly MutationGroup[]): (schema.MutantResult & { file: string })[] {
  const reports = groups.map(({ name }) => `.mutation/${name}.report.json`).filter((path) => existsSync(path));
  return reports.flatMap((path) => {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as schema.MutationTestResult;
    return Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })));
  });
}

/** The score of each folder, and of all. */
export function scoresOf(groups: readonly MutationGroup[]): Score[] {
  const mutants = readMutants(groups);
  const folders = [...new Set(mutants.map(({ file }) => dirname(file)))].sort();
  const count = (folder: string | undefined, states: readonly schema.MutantStatus[]) =>
    mutants.filter(({ file, status }) => (folder === undefined || dirname(file) === folder) && states.includes(status))
      .length;
  return [...folders, undefined].map((folder) => {
    const [killed, alive] = [count(folder, detected), count(folder, undetected)];
    const percent = Math.round((killed / Math.max(1, killed + alive)) * 1_000) / 10;
    return { folder: folder ?? 'all', detected: killed, undetected: alive, percent };
  });
}

/** The mutants that no test notices, by file and line. */
export function survivorsOf(groups: readonly MutationGroup[]): Survivor[] {
  return readMutants(groups)
    .filter(({ status }) => undetected.includes(status))
    .map(({ file, location, mutatorName, replacement, status }) => ({
      file,
      line: location.start.line,
      column: location.start.column,
      mutator: mutatorName,
      replacement: replacement ?? '',
      isCovered: status === 'Survived',
    }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/** Prints the survivors, and the score of each folder. */
export function printScores(groups: readonly MutationGroup[]): void {
  for (const { file, line, column, mutator, replacement, isCovered } of survivorsOf(groups)) {
    const text = replacement.replace(/\s+/g, ' ').slice(0, 60);
    console.log(`${file}:${line}:${column} ${mutator}${isCovered ? '' : ' (not executed)'}: ${text}`);
  }
  for (const { folder, detected: killed, undetected: alive, percent } of scoresOf(groups)) {
    console.log(
      `${folder.padEnd(40)} ${String(killed).padStart(5)} of ${String(killed + alive).padStart(5)}  ${percent} %`,
    );
  }
}
