/**
 * `npm run test:setup` installs the programs of the tests that npm cannot install: browsers and
 * servers, as root on Debian or Ubuntu. Elsewhere it names what is missing. `npm test` and
 * `npm run test:full` begin with it, for the suites that they run.
 *
 * Arguments: names of suites, `quick` or `full`. Default: all. With `TEST_SETUP=off`, nothing is
 * installed: suites whose programs are missing are skipped by name.
 */
import { pathToFileURL } from 'node:url';
import { explainMissing, findProgram, installPrograms, type ProgramName } from './support/programs.ts';
import { suites, type Suite } from './suites.ts';

/** Installs what some suites need. Resolves with the programs that are still missing. */
export async function setUp(wanted: readonly Suite[]): Promise<ProgramName[]> {
  const names = [...new Set(wanted.flatMap(({ needs }) => needs))];
  if (process.env['TEST_SETUP'] !== 'off') await installPrograms(names);
  return names.filter((name) => findProgram(name) === undefined);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2);
  const wanted = suites.filter(({ name, run }) => words.length === 0 || words.includes(name) || words.includes(run));
  const missing = await setUp(wanted);
  for (const name of missing) console.log(explainMissing(name));
  if (missing.length === 0) console.log('Every program of the tests is installed.');
}
