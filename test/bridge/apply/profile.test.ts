import { equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApplyService, type ApplyService } from './support/service.js';
import { completeProfile, createVisitor, typedProfile, walkTo } from './support/visitor.js';

describe('the profile that the partner told', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  for (const [name, value] of [
    ['phone', '+1 (512) 555-0100 ext. 12'],
    ['phone', '512.555.0100 x7'],
    ['phone', '512/555-0100'],
    ['email', `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`],
  ] as const) {
    it(`is confirmed as it is, with ${value.slice(0, 40)}`, async () => {
      const { applicationUrl } = await service.createSession({}, { profile: { [name]: value } });
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl }, 'profile');
      await visitor.post(`${applicationUrl}/profile/names`, typedProfile['names'] ?? {});
      const page = await visitor.post(`${applicationUrl}/profile/about`, typedProfile['about'] ?? {});
      ok(page.html.includes(`value="${value}"`));
      const next = await completeProfile(visitor, page, { [name]: value });
      equal(next.heading, 'Your Social Security number');
      ok((await visitor.get(`${applicationUrl}/profile/contact`)).html.includes(`value="${value}"`));
    });
  }

  for (const phone of ['512 555 010', 'call me', '512 555 0100 ask for Ana', 'x12', '512 555 0100 x']) {
    it(`is corrected where the phone number is ${phone}`, async () => {
      const { applicationUrl } = await service.createSession();
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl }, 'identity');
      const page = await visitor.post(`${applicationUrl}/profile/contact`, { ...typedProfile['contact'], phone });
      equal(page.status, 422);
      ok(page.html.includes('id="phone-error"'));
    });
  }
});
