import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBridge } from '../../support/bridge.js';

test('A bridge is ready while its database answers, and alive in any case.', async () => {
  const bridge = await startBridge();
  try {
    const look = async (path: string) => (await bridge.call('GET', path, { token: null })).status;
    assert.deepEqual([await look('/healthz'), await look('/readyz')], [200, 200]);
    await bridge.context.db.destroy();
    const answer = await bridge.call('GET', '/readyz', { token: null });
    assert.equal(answer.status, 503);
    assert.equal(answer.body.code, 50301);
    assert.equal(await look('/healthz'), 200);
    assert.equal((await bridge.call('POST', '/readyz')).headers.get('allow'), 'GET');
  } finally {
    await bridge.stop();
  }
});

test('A second stop has no effect.', async () => {
  const bridge = await startBridge();
  await Promise.all([bridge.stop(), bridge.stop()]);
  await assert.rejects(fetch(`${bridge.bridgeUrl}/healthz`));
});
