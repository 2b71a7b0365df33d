/**
 * Runs all tests with SQL on the distribution's PostgreSQL (15 on Debian 12, the oldest supported
 * version) instead of the embedded one.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { startDebianPostgres } from './support/debian-postgres.mjs';

// This test needs the embedded server.
const exclude = ['test/bridge/store/embedded*.test.ts'];
const patterns = [
  'test/bridge/{domain,store,outbox,bulk}/**/*.test.ts',
  'test/bridge/http/every-operation.test.ts',
  'test/server/store/postgres*.test.ts',
];

const server = await startDebianPostgres();
console.log(server.version);
try {
  const words = [
    '--import',
    'tsx',
    '--test',
    '--test-concurrency=3',
    '--test-reporter=./test/support/count-reporter.mjs',
  ];
  const child = spawn('node', [...words, ...globSync(patterns, { exclude }).sort()], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: server.url },
  });
  process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
} finally {
  server.stop();
}
