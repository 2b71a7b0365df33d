/**
 * `npm test`: the browser, the build, then every suite, one after another. Ends with one line, `N passed, N failed`. A suite
 * that ran nothing, or that ended badly without saying which test failed, counts as a failure. `npm run test:browsers` is the
 * same for the suites of all three browsers; `BROWSERS=webkit` leaves the others out.
 */
import './support/node-version.mjs';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensure, wantedBrowsers } from './support/browsers.mjs';
import { coverageTable } from './support/coverage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const coverageFolder = 'coverage';
/** The slowest suite takes a third of it on two cores: whoever takes longer hangs. */
const suiteTimeoutMs = 600_000;
const rooms = '{contract,channel,hosted,element,return,server,bridge}';
const journeys = 'test/together/browsers';
/**
 * To measure what Node runs takes a third longer. Where nobody waits but a limit counts (CI), only what the browser runs is measured;
 * `npm test` at a desk prints all of it.
 */
const measuresNode = !process.env.CI;

/** Suites run one after another: the browser of one would starve the deadlines of another on two cores. */
const suites = [
  // Four files at a time: they wait for a database, a server or a clock about as long as they work.
  nodeSuite('rooms', ['test/*.test.ts', `test/${rooms}/**/*.test.ts`], { concurrency: 4 }),
  browserSuite('browser', 'wtr.config.mjs'),
  // Three files at a time: they wait for pages.
  nodeSuite('together', ['test/{together,demo,testing,react}/**/*.test.ts'], {
    concurrency: 3,
    exclude: [`${journeys}/**`],
  }),
  // What bundlers and package managers run is not ours, and to measure it takes a fifth longer.
  nodeSuite('package', ['test/package/**/*.test.ts'], { concurrency: 2, coverage: false }),
];
/** What depends on the engine. Not in `npm test`, which has all of it in Chromium. */
const suitesOfAllBrowsers = [
  browserSuite('browsers', 'wtr.browsers.config.mjs'),
  nodeSuite(
    'journeys',
    wantedBrowsers().map((name) => `${journeys}/${name}.test.ts`),
    { concurrency: 1 },
  ),
];

process.chdir(root);
process.env.PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
fs.rmSync(coverageFolder, { recursive: true, force: true });
fs.mkdirSync(coverageFolder);

const wanted = process.argv.slice(2);
const isWanted = ({ name }) => wanted.includes(name);
const needsAllBrowsers = suitesOfAllBrowsers.some(isWanted);

try {
  for (const name of needsAllBrowsers ? wantedBrowsers() : ['chromium']) ensure(name, { install: true });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
if ((await run('node', ['test/support/build.mjs'])) !== 0) {
  console.error('The build failed: no test was run.');
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const suite of wanted.length === 0 ? suites : [...suites, ...suitesOfAllBrowsers].filter(isWanted)) {
  const counts = await runSuite(suite);
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
}
if (!needsAllBrowsers) {
  if (!measuresNode) console.log('\nCoverage of the browser suite; without CI in the environment, of all of them.');
  console.log(`\n${coverageTable(suites.map(({ lcov }) => lcov))}\n`);
}
if (total.skipped > 0) console.log(`Skipped: ${total.skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);

function nodeSuite(name, patterns, { concurrency, exclude = [], coverage = measuresNode }) {
  const lcov = `${coverageFolder}/${name}.info`;
  const files = fs.globSync(patterns, { cwd: root, exclude }).sort();
  const words = ['--import', 'tsx', '--test', `--test-concurrency=${concurrency}`];
  words.push('--test-reporter=./test/support/count-reporter.mjs', '--test-reporter-destination=stdout');
  if (coverage)
    words.push(
      ...['--experimental-test-coverage', '--test-coverage-include=src/**'],
      ...['--test-reporter=lcov', `--test-reporter-destination=${lcov}`],
    );
  return { name, files, lcov, command: 'node', words: [...words, ...files] };
}

function browserSuite(name, config) {
  return {
    name,
    files: fs.globSync('test/**/*.spec.ts', { cwd: root }),
    lcov: `${coverageFolder}/browser/lcov.info`,
    command: 'wtr',
    words: ['--config', `test/config/${config}`],
  };
}

async function runSuite({ name, files, command, words }) {
  console.log(`\n── ${name} (${files.length} files)`);
  if (files.length === 0) return { passed: 0, failed: 1, skipped: 0 };
  console.time(`── ${name}`);
  const countsFile = join(root, coverageFolder, `${name}.json`);
  const status = await run(command, words, { TEST_COUNTS: countsFile });
  const counts = readCounts(countsFile);
  console.timeEnd(`── ${name}`);
  const silentFailure = (status !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0;
  if (silentFailure) console.error(`The suite ${name} ended with ${status} and no test to blame.`);
  return { ...counts, failed: counts.failed + (silentFailure ? 1 : 0) };
}

function readCounts(path) {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function run(command, words, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...variables },
    });
    // Asked to end, the runner ends its files and says which one it was waiting for.
    const timer = setTimeout(() => child.kill('SIGTERM'), suiteTimeoutMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}
