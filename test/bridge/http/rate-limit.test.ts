import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBridge } from '../../support/bridge.js';

test('one token may make so many requests a minute; another token has its own count', async () => {
  let now = Date.now();
  const bridge = await startBridge({ clock: () => new Date(now), environment: { BRIDGE_RATE_LIMIT: '5' } });
  try {
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
  } finally {
    await bridge.stop();
  }
});
