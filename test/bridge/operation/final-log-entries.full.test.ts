import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '../../support/database.js';
import { serveInProcess } from '../process.js';

const log = fileURLToPath(new URL('../../../src/bridge/log.ts', import.meta.url));

/** The log entries of a process before its end, for each kind of end. */
async function lastWords(program: string): Promise<string[]> {
  const text = `import { createLogger } from ${JSON.stringify(log)}; const log = createLogger('info'); ${program}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child, 'close');
  return output.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { msg: string }).msg));
}

const ends: [how: string, program: string][] = [
  ['an uncaught exception', `throw new Error('nobody');`],
  ['an unhandled rejection', `await Promise.reject(new Error('nobody'));`],
  ['an exit', `process.exit(1);`],
];
for (const [how, end] of ends) {
  test(`Log entries before ${how} are complete, even within the same turn of the event loop.`, async () => {
    assert.deepEqual(await lastWords(`log.info('first'); log.info('last'); ${end}`), ['first', 'last']);
  });
}

test('A log line is written before the process can end.', async () => {
  const kill = `process.kill(process.pid, 'SIGKILL');`;
  assert.deepEqual(await lastWords(`log.info('first'); log.info('last'); ${kill}`), ['first', 'last']);
});

test('The error that ends a serving bridge is in its log, without attached data.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const fail = `Object.assign(new Error('900-11-0003 was unexpected'), { detail: 'canary' })`;
  const preloaded = `process.on('SIGUSR2', () => { throw ${fail}; });`;
  const serving = await serveInProcess({
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    // The line number in the code is part of the stack, so it is replaced.
    NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(preloaded).toString('base64')}`,
  });
  t.after(() => serving.child.kill('SIGKILL'));
  const closed = once(serving.child, 'close');
  assert.equal(await serving.end('SIGUSR2'), 1);
  await closed;
  assert.match(serving.output(), /"level":"fatal".*\[ssn\] was unexpected/);
  assert.doesNotMatch(serving.output(), /canary|900-11-0003/);
});
