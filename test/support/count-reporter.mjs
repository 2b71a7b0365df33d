/**
 * The reporter of the Node tests: the spec reporter without its closing figures (the run prints one
 * line for all suites), and in the file of TEST_COUNTS, as JSON, the counts and the files with a failed test.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';

const closingFigures = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

export default async function* countReporter(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failedFiles = new Set();
  async function* shown() {
    for await (const event of source) {
      count(event, counts);
      // The file that ran, and not the one that defines its tests, such as a conformance suite.
      const ran = event.data?.entryFile ?? event.data?.file;
      if (event.type === 'test:fail' && ran !== undefined) failedFiles.add(relative('', ran));
      if (event.type === 'test:diagnostic' && closingFigures.test(event.data.message)) continue;
      yield event;
    }
  }
  yield* Readable.from(shown()).pipe(new Spec());
  if (process.env.TEST_COUNTS)
    writeFileSync(process.env.TEST_COUNTS, JSON.stringify({ ...counts, failedFiles: [...failedFiles] }));
}

function count({ type, data }, counts) {
  if (type !== 'test:pass' && type !== 'test:fail') return;
  // A suite is no test, but one that fails in a hook fails without a failed test.
  if (data.details?.type === 'suite' && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed'))
    return;
  if (data.skip !== undefined || data.todo !== undefined) counts.skipped += 1;
  else counts[type === 'test:pass' ? 'passed' : 'failed'] += 1;
}
