/**
 * The reporter of the Node tests: the spec reporter without its closing figures (the run prints one
 * line for all suites), and in the file of TEST_COUNTS, as JSON, the counts, the files with a failed
 * test, and each failure in a few lines.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';

const closingFigures = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

export default async function* countReporter(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failedFiles = new Set();
  const failures = [];
  async function* shown() {
    for await (const event of source) {
      // The file that ran, and not the one that defines its tests, such as a conformance suite.
      const ran = event.data?.entryFile ?? event.data?.file;
      const kind = kindOf(event);
      if (kind !== undefined) counts[kind] += 1;
      if (kind === 'failed') failures.push(describeFailure(ran, event.data));
      if (event.type === 'test:fail' && ran !== undefined) failedFiles.add(relative('', ran));
      if (event.type === 'test:diagnostic' && closingFigures.test(event.data.message)) continue;
      yield event;
    }
  }
  yield* Readable.from(shown()).pipe(new Spec());
  if (process.env.TEST_COUNTS)
    writeFileSync(process.env.TEST_COUNTS, JSON.stringify({ ...counts, failedFiles: [...failedFiles], failures }));
}

/** Under which count a finished test falls. */
function kindOf({ type, data }) {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  // A suite is no test, but one that fails in a hook fails without a failed test.
  if (data.details?.type === 'suite' && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed'))
    return undefined;
  if (data.skip !== undefined || data.todo !== undefined) return 'skipped';
  return type === 'test:pass' ? 'passed' : 'failed';
}

function describeFailure(file, { name, details }) {
  const { cause, message } = details.error;
  return `${file === undefined ? '' : `${relative('', file)}: `}${name}\n  ${String(cause?.message ?? message).slice(0, 600)}`;
}
