import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createLogger, readEnvironment, startBridge as startSecond } from '../../../src/bridge/index.js';
import { cleanUp } from '../../../src/bridge/domain/clean-up.js';
import { startBridge } from '../../support/bridge.js';

/** The beginning of a minute of the clock, soon. */
const nextMinute = () => Math.ceil(Date.now() / 60_000) * 60_000;

test('one token may make so many requests a minute; another token has its own count', async (t) => {
  let now = nextMinute();
  const bridge = await startBridge({ clock: () => new Date(now), environment: { BRIDGE_RATE_LIMIT: '5' } });
  t.after(() => bridge.stop());
  const read = (token: string) => bridge.call('GET', '/v1/applications/app_x', { token });
  const { test: mine, live: other } = bridge.tokens;
  for (let count = 0; count < 5; count += 1) assert.equal((await read(mine)).status, 404);
  now += 20_000;
  const refused = await read(mine);
  assert.equal(refused.body.code, 42901);
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal((await read(other)).status, 404);
  now += 40_000;
  assert.equal((await read(mine)).status, 404);
});

test('instances share the count, and old counts are deleted', async (t) => {
  let now = nextMinute();
  const clock = () => new Date(now);
  const environment = { BRIDGE_RATE_LIMIT: '10', BRIDGE_SECRET_KEY: randomBytes(32).toString('base64') };
  const bridge = await startBridge({ clock, environment });
  const ports = { BRIDGE_PORT: '0', APPLY_PORT: '0', DATABASE_URL: bridge.databaseUrl };
  const other = await startSecond(readEnvironment({ ...environment, ...ports }), {
    clock,
    log: createLogger('silent'),
    assets: { href: (name) => name, at: () => undefined },
  });
  t.after(async () => {
    await other.stop();
    await bridge.stop();
  });
  const read = async (url: string) => {
    const headers = { authorization: `Bearer ${bridge.tokens.test}` };
    return (await fetch(`${url}/v1/applications/app_x`, { headers })).status;
  };
  const counted = async () => {
    const rows = await bridge.context.db.selectFrom('request_count').select('count').orderBy('minute').execute();
    return rows.map(({ count }) => count);
  };
  const untilCounted = async (expected: number[]) => {
    while (String(await counted()) !== String(expected)) await new Promise(setImmediate);
  };
  for (let count = 0; count < 6; count += 1) assert.equal(await read(bridge.bridgeUrl), 404);
  await untilCounted([6]);
  // The other instance hears of the token with the first request that it gets itself.
  assert.equal(await read(other.bridgeUrl), 404);
  await untilCounted([7]);
  const left: number[] = [];
  while (left.at(-1) !== 429) left.push(await read(other.bridgeUrl));
  // One more if the answer of the exchange was still on its way.
  assert.ok(left.length === 4 || left.length === 5, String(left.length));

  now += 180_000;
  assert.equal(await read(bridge.bridgeUrl), 404);
  await untilCounted([7 + left.length, 1]);
  await cleanUp(bridge.context);
  assert.deepEqual(await counted(), [1]);
});
