import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A reporter of the browser tests that writes the counts, the files with a failed test and each
 * failure in a few lines into the file of TEST_COUNTS, else the counts as a last line. A file that
 * does not load counts as a failure. With several browsers, each has a separate line before that.
 */
export function plainReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const counts = countSessions(sessions);
      const browsers = Map.groupBy(sessions, ({ browser }) => browser.name);
      if (browsers.size > 1)
        for (const [name, own] of browsers) {
          const { passed, failed, skipped } = countSessions(own);
          console.log(`${name}: ${passed} of ${passed + failed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
        }
      const failedSessions = sessions.filter((session) => countSessions([session]).failed > 0);
      const failedFiles = new Set(failedSessions.map(({ testFile }) => relative('', testFile)));
      if (process.env.TEST_COUNTS)
        writeFileSync(
          process.env.TEST_COUNTS,
          JSON.stringify({
            ...counts,
            failedFiles: [...failedFiles],
            failures: failedSessions.flatMap(describeFailures),
          }),
        );
      else console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    },
  };
}

function countSessions(sessions) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const session of sessions) {
    if (session.testResults) countSuite(session.testResults, counts);
    if (session.errors?.length > 0 || !session.testResults) counts.failed += 1;
  }
  return counts;
}

function countSuite(suite, counts) {
  for (const test of suite.tests) counts[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'] += 1;
  for (const inner of suite.suites) countSuite(inner, counts);
}

function describeFailures({ testFile, testResults, errors }) {
  const failed = [
    ...(errors ?? []).map((error) => ({ name: 'did not load', error })),
    ...(testResults ? failedTests(testResults) : []),
  ];
  return failed.map(
    ({ name, error }) => `${relative('', testFile)}: ${name}\n  ${String(error?.message).slice(0, 600)}`,
  );
}

function failedTests(suite) {
  return [...suite.tests.filter(({ passed, skipped }) => !passed && !skipped), ...suite.suites.flatMap(failedTests)];
}
