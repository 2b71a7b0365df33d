import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';

describe('an application whose link has expired', () => {
  let now = new Date();
  let service: ApplyService;
  before(async () => {
    service = await startApplyService({ clock: () => now });
  });
  after(() => service.stop());

  it('An expired link leads back to the partner from every page and post, but still shows the receipt.', async () => {
    const open = await service.createSession();
    const done = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl: open.applicationUrl }, 'disclosures');
    await walkTo(createVisitor(), { applicationUrl: done.applicationUrl }, 'receipt');
    now = new Date(now.getTime() + 25 * 3_600_000);
    const expired = 'http://localhost:5999/return?state=once-only&page=a%20b&status=expired';
    const visitor = createVisitor();
    for (const path of ['', '/profile', '/background/criminal', '/disclosures', '/leave']) {
      const page = await visitor.get(`${open.applicationUrl}${path}`);
      deepEqual([page.status, page.url], [303, expired], path);
    }
    equal((await visitor.post(`${open.applicationUrl}/profile/names`, { firstName: 'Ana' })).url, expired);
    equal((await visitor.get(done.applicationUrl)).heading, 'Application submitted');
  });
});
