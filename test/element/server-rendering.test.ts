import assert from 'node:assert/strict';
import { it } from 'node:test';

it('is imported and created on a server, where there is no document', async () => {
  assert.equal(typeof globalThis.document, 'undefined');
  const { LicensingApply, LicensingApplyError } = await import('../../src/element/define.js');
  const element = new LicensingApply();
  assert.equal(element.state, 'idle');
  assert.deepEqual(element.snapshot.states, []);
  assert.equal(new LicensingApplyError('timeout').category, 'hosted');
});

it('imports the return script on a server', async () => {
  await import('../../src/return/index.js');
});
