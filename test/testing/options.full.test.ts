import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createScriptedPage, licensing, type LicensingOptions, scriptedPageUrl } from 'licensing-apply/testing';
import { useAgency } from './agency.js';

describe('a partner who tells the fixture something wrong', () => {
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
    it(`reads at once that ${name} cannot be ${JSON.stringify(value)}`, async () => {
      const { page } = await open();
      await assert.rejects(licensing(page, wrong as LicensingOptions), (error: Error) => {
        assert.equal(error.name, 'TypeError');
        assert.match(error.message, new RegExp(name ?? '-'));
        return true;
      });
    });
  }

  it('reads it of the scripted page, too', () => {
    assert.throws(() => createScriptedPage({ allowedOrigins: [], states: ['Texas'] }), TypeError);
    assert.throws(() => scriptedPageUrl('http://localhost', { scenario: 'completed' as 'complete' }), TypeError);
  });

  it('reads that nobody applied for a state, and that there is no such scenario to play', async () => {
    const { user } = await open();
    await user.open();
    await assert.rejects(user.decide('NY', 'approved'), /NY.*TX, CA/);
    assert.throws(() => {
      user.play('completed' as 'complete');
    }, TypeError);
  });

  it('is told in time that there is no such button', async () => {
    const { user } = await open({ timeoutMs: 2_000 });
    await user.open();
    await assert.rejects(user.press('Answer'), /Timeout 2000ms/);
  });
});
