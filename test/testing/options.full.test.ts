import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createScriptedPage, licensing, type LicensingOptions, scriptedPageUrl } from 'licensing-apply/testing';
import { useAgency } from './agency.js';

describe('wrong options of licensing()', () => {
  const open = useAgency();

  for (const wrong of [
    { states: [] },
    { states: ['tx'] },
    { scenario: 'completed' },
    { hostedOrigin: 'apply.licensing.test' },
    { hostedOrigin: 'https://apply.licensing.test/start' },
    { returnUrl: 'https://[' },
    { timeoutMs: Number.NaN },
  ]) {
    const [[name, value] = []] = Object.entries(wrong);
    it(`licensing() throws at once when ${name} is ${JSON.stringify(value)}`, async () => {
      const { page } = await open();
      await assert.rejects(licensing(page, wrong as LicensingOptions), (error: Error) => {
        assert.equal(error.name, 'TypeError');
        assert.match(error.message, new RegExp(name ?? '-'));
        return true;
      });
    });
  }

  it('createScriptedPage() throws for the same options', () => {
    assert.throws(() => createScriptedPage({ allowedOrigins: [], states: ['Texas'] }), TypeError);
    assert.throws(() => scriptedPageUrl('http://localhost', { scenario: 'completed' as 'complete' }), TypeError);
  });

  it('a decision on a state that is not applied for and an unknown scenario throw', async () => {
    const { user } = await open();
    await user.open();
    await assert.rejects(user.decide('NY', 'approved'), /NY.*TX, CA/);
    assert.throws(() => {
      user.play('completed' as 'complete');
    }, TypeError);
  });

  it('a button that does not exist is reported before the test times out', async () => {
    const { user } = await open({ timeoutMs: 2_000 });
    await user.open();
    await assert.rejects(user.press('Answer'), /Timeout 2000ms/);
  });
});
