import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

it('the element can be imported and created on a server, where there is no document', async () => {
  assert.equal(typeof globalThis.document, 'undefined');
  const { LicensingApply, LicensingApplyError } = await import('../../src/element/define.js');
  const element = new LicensingApply();
  assert.equal(element.state, 'idle');
  assert.deepEqual(element.snapshot.states, []);
  assert.equal(new LicensingApplyError('timeout').category, 'hosted');
});

it('the Spanish texts are loaded on a server, where the element renders synchronously', async () => {
  await import('../../src/element/define.js');
  const { languageFor } = await import('../../src/element/locales/language.js');
  await import('../../src/element/locales/es.js');
  await setImmediate();
  assert.equal(languageFor('es').texts.start, 'Iniciar solicitud');
});

it('the return script can be imported on a server', async () => {
  await import('../../src/return/index.js');
});
