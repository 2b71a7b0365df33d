import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { testDatabase } from '../../support/database.js';
import { serveInProcess } from '../process.js';

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
