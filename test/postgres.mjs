/**
 * `npm run test:postgres`: everything that uses a database, on the distribution's own PostgreSQL (15 on Debian 12, the oldest
 * that is supported) instead of the one that npm brings. Ends with one line, `N passed, N failed`.
 */
import './support/node-version.mjs';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDebianPostgres } from './support/debian-postgres.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
process.env.PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;

// These start the embedded server, or end it: they are about that one.
const aboutTheEmbeddedOne = /store\/embedded|cli\/serve/;
const wanted = process.argv.slice(2);
const files = (wanted.length > 0 ? wanted : fs.globSync(['test/bridge/**/*.test.ts', 'test/server/**/*.test.ts']))
  .filter((file) => !aboutTheEmbeddedOne.test(file))
  .sort();

const counts = join(fs.mkdtempSync(join(tmpdir(), 'licensing-bridge-counts-')), 'counts.json');
if (spawnSync('node', ['test/support/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const server = await startDebianPostgres();
console.log(server.version);
try {
  const words = [
    '--import',
    'tsx',
    '--test',
    '--test-concurrency=2',
    '--test-reporter=./test/support/count-reporter.mjs',
  ];
  const child = spawn('node', [...words, ...files], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: server.url, TEST_COUNTS: counts },
  });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const { passed, failed } = JSON.parse(fs.readFileSync(counts, 'utf8'));
  console.log(`${passed} passed, ${failed} failed`);
} finally {
  server.stop();
  fs.rmSync(join(counts, '..'), { recursive: true, force: true });
}
