import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typed, walkTo, type VisitedPage, signAndPay } from './support/visitor.js';

describe('the signature', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  const ticked = ({ html }: VisitedPage) =>
    [...html.matchAll(/name="attest"\s+value="(\w+)"\s+checked/g)].map(([, statement]) => statement);

  it('The signature page keeps ticks and the name only when another field is missing.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    deepEqual(ticked(await walkTo(visitor, { applicationUrl }, 'review')), []);
    const misspelt = await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName: 'Ana Riviera' });
    equal(misspelt.status, 422);
    deepEqual(ticked(misspelt), typed.review.attest);
    match(misspelt.html, /value="Ana Riviera"/);
    const unticked = await visitor.post(`${applicationUrl}/review`, { ...typed.review, attest: ['true', '"><b>'] });
    equal(unticked.status, 422);
    deepEqual(ticked(unticked), ['true']);
    deepEqual(ticked(await visitor.get(`${applicationUrl}/review`)), []);
  });

  it('The signature accepts any apostrophe and hyphen of a keyboard.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const profile = { firstName: 'Ana-Lía', lastName: "O'Hara" };
    await walkTo(visitor, { applicationUrl }, 'review', { profile });
    const other = await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName: 'Ana Lia OHara' });
    equal(other.status, 422);
    const signed = await visitor.post(`${applicationUrl}/review`, {
      ...typed.review,
      signedName: 'ana\u2011lia o\u2019hara',
    });
    equal(signed.heading, 'Pay the fees');
  });

  it('A name with thousands of combining marks is refused before it is normalized, which would take seconds.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'review');
    const signedName = `${typed.review.signedName}${'\u0301\u0323'.repeat(10_000)}`;
    const refused = await visitor.post(`${applicationUrl}/review`, { ...typed.review, signedName });
    equal(refused.status, 413);
    // Without the marks it is the name on the application.
    equal((await signAndPay(visitor, applicationUrl)).heading, 'Application submitted');
  });
});
