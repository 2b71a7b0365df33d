import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useAgency } from './agency.js';

describe('a test with several pages', () => {
  const open = useAgency();

  for (const [where, options] of [
    ['on a server each', {}],
    ['on one origin', { hostedOrigin: 'https://apply.licensing.test' }],
  ] as const) {
    it(`each page has its own application ${where}`, async () => {
      const first = await open({ ...options, states: ['TX'] });
      const second = await open({ ...options, states: ['NY'], page: await first.page.context().newPage() });
      await first.user.open();
      await second.user.complete();
      await first.user.complete();
      await first.user.expectStatus({ TX: 'pending_review' });
      await second.user.expectStatus({ NY: 'pending_review' });
      for (const { user } of [first, second]) assert.equal(user.requests.length, 1);
    });
  }

  it('the same page can start again', async () => {
    const { page } = await open();
    const { user } = await open({ page, states: ['NY'] });
    await user.complete();
    await user.expectStatus({ NY: 'pending_review' });
    assert.equal(user.requests.length, 1);
    assert.equal(user.events.filter(({ name }) => name === 'licensing-complete').length, 1);
  });
});
