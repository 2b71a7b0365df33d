import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Fee } from '../../../src/bridge/catalogue/content.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { storeCatalogue } from '../../../src/bridge/domain/catalogues.js';
import { eraseApplications } from '../../../src/bridge/store/applications/erasure-store.js';
import { pdfText } from '../../support/pdf-text.js';
import { copyOfRelease } from '../catalogue/release-copy.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { completeProfile, createVisitor, signAndPay, typed, typedProfile, walkTo } from './support/visitor.js';

const states = ['TX', 'IL'] as const;

describe('fees that depend on where the user lives', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /** An application of a resident of Texas. */
  async function arrive(until: 'payment' | 'receipt' = 'payment') {
    const session = await service.createSession({ states: [...states] });
    const page = await walkTo(createVisitor(), { ...session, states: [...states] }, until);
    return { ...session, page };
  }
  const paymentsOf = (applicationId: string) =>
    service.context.db.selectFrom('payment').selectAll().where('application_id', '=', applicationId).execute();

  it('The fees are the higher ones until the home state is known, and its own from the review to the receipt.', async () => {
    const { page, applicationUrl, applicationId, estimatedFees } = await arrive();
    // Texas 50.00, Illinois 380.00 for nonresidents, and 5.60 for each state.
    equal(estimatedFees.total, 441.2);
    match(page.html, /Illinois[\s\S]*\$380\.00[\s\S]*\$441\.20/);
    const review = await createVisitor().get(`${applicationUrl}/review`);
    match(review.html, /\$441\.20/);
    const receipt = await createVisitor().post(`${applicationUrl}/payment`, typed.payment);
    match(receipt.html, /Illinois[\s\S]*\$380\.00[\s\S]*\$441\.20/);
    deepEqual(
      (await paymentsOf(applicationId)).map(({ amount_cents }) => amount_cents),
      [44_120],
    );
  });

  it('The fees follow a change of the home state after a payment was reserved: that payment is released.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    // Authorized for a resident of Texas, and not submitted, because the home state is changed
    // meanwhile.
    const visitor = createVisitor();
    const residency = { ...typedProfile['residency'], homeState: 'IL' };
    const { db } = service.context;
    await visitor.post(`${applicationUrl}/payment`, { ...typed.payment, cardNumber: '4000 0027 6000 3184' });
    await visitor.post(`${applicationUrl}/profile/residency?change`, residency);
    const [pending] = await paymentsOf(applicationId);
    await createVisitor().post(`${service.applyUrl}/test-processor/${pending?.id ?? ''}`, { answer: 'pass' });
    await db
      .selectFrom('payment')
      .selectAll()
      .where('application_id', '=', applicationId)
      .where('status', '=', 'accepted')
      .executeTakeFirstOrThrow();
    // Some pages for residents apply now, such as the exam.
    await completeProfile(visitor, await visitor.get(`${applicationUrl}/profile`));
    match((await visitor.get(`${applicationUrl}/review`)).html, /\$276\.20/);
    await signAndPay(visitor, applicationUrl);
    // The release may be activated before the payment, which then succeeds at once.
    const page = await until(
      () => visitor.get(`${applicationUrl}/payment`),
      ({ heading }) => heading === 'Pay the fees' || heading === 'Application submitted',
    );
    const end = page.heading === 'Pay the fees' ? await visitor.post(`${applicationUrl}/payment`, typed.payment) : page;
    equal(end.heading, 'Application submitted');
    const rows = (await paymentsOf(applicationId)).map(({ status, amount_cents, voided_at }) => [
      status,
      amount_cents,
      voided_at !== null,
    ]);
    deepEqual(rows.sort(), [
      ['accepted', 27_620, false],
      ['declined', 44_120, true],
    ]);
  });

  it('The fees on the receipt stay when the profile is erased and a newer release is active.', async (t) => {
    const { applicationUrl, applicationId } = await arrive('receipt');
    const copy = copyOfRelease(t);
    copy.change('release', (release) => ({ ...release, version: '2026.11.901' }));
    const dearer = (fee: Fee) => ({ ...fee, stateFeeCents: fee.stateFeeCents + 100 });
    copy.change('jurisdictions', (all) => all.map((each) => ({ ...each, fees: each.fees.map(dearer) })));
    const content = await loadCatalogue(copy.folder);
    await storeCatalogue(service.context.db, content, { source: 'test', now: new Date() });
    await service.context.db.transaction().execute((trx) => eraseApplications(trx, [applicationId], new Date()));
    match((await createVisitor().get(`${applicationUrl}/receipt`)).html, /Illinois[\s\S]*\$380\.00[\s\S]*\$441\.20/);
    const pdf = await fetch(`${applicationUrl}/receipt.pdf`);
    ok(pdfText(Buffer.from(await pdf.arrayBuffer())).includes('$441.20'));
  });
});
