import { deepEqual, doesNotThrow, equal, match, notEqual, ok, throws } from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { stateCodes } from '../../../src/contract/index.js';
import { receiptNumberOf } from '../../../src/bridge/domain/applications/receipt-number.js';
import {
  type ApplySession,
  changeSession,
  changeStep,
  findSession,
  isReached,
  openSession,
} from '../../../src/bridge/domain/applications/session.js';
import { signingFacts } from '../../../src/bridge/domain/applications/signature.js';
import { completeStep, saveDraft } from '../../../src/bridge/domain/applications/step.js';
import { findSsnOffer } from '../../../src/bridge/domain/applications/identity.js';
import { triesPerDay } from '../../../src/bridge/domain/limits/limits.js';
import { minutesLeft } from '../../../src/bridge/domain/applications/time-left.js';
import { chooseProcessors } from '../../../src/bridge/domain/payments/choose-processors.js';
import type { PaymentProcessor } from '../../../src/bridge/ports/payment-processor.js';
import { findSteps } from '../../../src/bridge/store/applications/step-store.js';
import { type PaymentDesk, startPaymentDesk } from '../payments/payment-desk.js';
import { tokenOf } from '../apply/support/shortcuts.js';

describe('an application in the domain', () => {
  let desk: PaymentDesk;
  before(async () => {
    desk = await startPaymentDesk();
  });
  beforeEach(() => {
    desk.reset();
  });
  after(() => desk.stop());

  async function sessionOf(token: string): Promise<ApplySession> {
    const session = await findSession(desk.context, token);
    ok(session);
    return session;
  }
  const yes = () => Promise.resolve('changed');

  it('A link is open until the millisecond at which it expires, and its application cannot be changed after that.', async () => {
    const { token } = await desk.arrive();
    const { link } = await sessionOf(token);
    desk.wait(link.expiresAt.getTime() - desk.now().getTime() - 1);
    equal((await sessionOf(token)).phase, 'open');
    equal(await changeSession(desk.context, token, yes), 'changed');
    desk.wait(1);
    equal((await sessionOf(token)).phase, 'expired');
    equal(await changeSession(desk.context, token, yes), undefined);
    equal(await changeStep(desk.context, token, 'profile', yes), undefined);
    equal(await changeSession(desk.context, 'unknown', yes), undefined);
  });

  it('A submitted application shows its receipt after its link has expired, but not by an earlier link, or of a deactivated agency.', async () => {
    const { token, pay, applicationId } = await desk.arrive();
    equal((await pay())?.status, 'submitted');
    const { link } = await sessionOf(token);
    const phase = async () => (await sessionOf(token)).phase;
    equal(await changeSession(desk.context, token, yes), undefined);
    desk.wait(link.expiresAt.getTime() - desk.now().getTime());
    equal(await phase(), 'submitted');
    const { db } = desk.context;
    const { sessionId, linkHash, returnUrl, expiresAt } = await desk.applicationOf(applicationId);
    await db
      .insertInto('earlierSession')
      .values({ sessionId, linkHash, returnUrl, expiresAt, applicationId })
      .execute();
    const another = { sessionId: `${sessionId}_2`, linkHash: Buffer.alloc(32, applicationId) };
    await db.updateTable('application').set(another).where('id', '=', applicationId).execute();
    equal(await phase(), 'expired');
    desk.wait(-1);
    equal(await phase(), 'submitted');
    const agency = (deactivatedAt: Date | null) => db.updateTable('agency').set({ deactivatedAt }).execute();
    await agency(desk.now());
    equal(await phase(), 'stopped');
    await agency(null);
  });

  it('Only the first visit starts an application, and only while its link is open.', async () => {
    const webhookUrl = 'http://127.0.0.1:9/hooks';
    const started = async (waitMs: number) => {
      const { applicationId, applicationUrl } = await desk.service.createSession({ webhookUrl });
      desk.wait(waitMs);
      await Promise.all([1, 2, 3].map(() => openSession(desk.context, tokenOf(applicationUrl))));
      const events = desk.context.db.selectFrom('webhookEvent').select('type');
      const { step, startedAt } = await desk.applicationOf(applicationId);
      return [
        step,
        startedAt?.getTime(),
        (await events.where('streamId', '=', applicationId).execute()).map(({ type }) => type),
      ];
    };
    deepEqual(await started(5), ['profile', desk.now().getTime(), ['application.session_started']]);
    desk.reset();
    deepEqual(await started(8 * 86_400_000), ['not_started', undefined, []]);
  });

  it('A step is reached when it is the open one or earlier, is part of the application, and the SSN was typed with this link.', async () => {
    const session = await sessionOf((await desk.arrive('review')).token);
    const reached = ({ application = {}, check = {} }: { application?: object; check?: object }) =>
      (['profile', 'identity', 'background', 'review', 'payment'] as const).filter((step) =>
        isReached(
          {
            ...session,
            application: { ...session.application, ...application },
            check: { ...session.check, ...check },
          },
          step,
        ),
      );
    deepEqual(reached({}), ['profile', 'identity', 'background', 'review']);
    deepEqual(reached({ check: { passedAt: null } }), ['profile', 'identity']);
    deepEqual(reached({ application: { step: 'payment' } }).at(-1), 'payment');
    deepEqual(reached({ application: { step: 'payment', paymentMethod: 'partner_billing' } }), []);
    deepEqual(reached({ application: { step: 'identity' } }), ['profile', 'identity']);
    const { token } = await desk.arrive('review');
    equal(await changeStep(desk.context, token, 'payment', yes), undefined);
    equal(await changeStep(desk.context, token, 'review', yes), 'changed');
  });

  it('A step that is completed again reports no progress, and an earlier one ends the signature.', async () => {
    const { token, applicationId } = await desk.arrive('payment', { webhookUrl: 'http://127.0.0.1:9/hooks' });
    const facts = async () => signingFacts(await findSteps(desk.context.db, applicationId));
    const { catalogueVersion } = await desk.applicationOf(applicationId);
    const { digest, ...signed } = (await facts()) ?? {};
    deepEqual(signed, { signedAt: desk.now().toISOString(), language: 'en', catalogueVersion });
    match(digest ?? '', /^[0-9a-f]{64}$/);
    const progress = async () => {
      const events = desk.context.db.selectFrom('webhookEvent').select('seq');
      return (await events.where('streamId', '=', applicationId).execute()).length;
    };
    const before = await progress();
    const change = (save: typeof saveDraft, step: 'payment' | 'disclosures') =>
      changeStep(desk.context, token, step, async (trx, session) => {
        await save(desk.context, trx, session, step, { data: session.saved[step]?.data ?? {} });
      });
    await change(saveDraft, 'payment');
    ok(await facts());
    equal((await sessionOf(token)).saved.payment?.completedAt, null);
    await change(completeStep, 'disclosures');
    equal(await facts(), undefined);
    equal(await progress(), before);
    equal((await desk.applicationOf(applicationId)).step, 'payment');
    // Erased.
    const steps = await findSteps(desk.context.db, (await desk.arrive()).applicationId);
    const review = steps.filter(({ step }) => step === 'review');
    ok(signingFacts(review));
    for (const changed of [
      { completedAt: null },
      { data: {} },
      { data: { signedAt: 'x' } },
      { data: { language: 'en' } },
    ]) {
      equal(signingFacts(review.map((row) => ({ ...row, ...changed }))), undefined, JSON.stringify(changed));
    }
  });

  it('Wrong digits end the offer of the stored SSN, except where this session has passed before.', async () => {
    const session = await sessionOf((await desk.arrive('review')).token);
    for (const [passedAt, failedCount, offer] of [
      [null, triesPerDay.wrongLastFour.max - 1, { use: 'keep', needsDigits: true }],
      [null, triesPerDay.wrongLastFour.max, undefined],
      [desk.now(), triesPerDay.wrongLastFour.max, { use: 'keep', needsDigits: false }],
    ] as const)
      deepEqual(
        await findSsnOffer(desk.context, { ...session, check: { ...session.check, passedAt, failedCount } }),
        offer,
      );
  });

  it('The minutes that are left are exact below ten, and then in steps of five.', async () => {
    const left = (session: ApplySession, change: Partial<ApplySession> = {}) =>
      minutesLeft(desk.context, { ...session, ...change });
    // A minute for the payment, one for the review, and ten seconds for each state.
    for (const [count, minutes] of [
      [6, 3],
      [7, 4],
      [42, 9],
      [43, 10],
      [48, 10],
      [49, 15],
    ] as const) {
      const session = await sessionOf((await desk.arrive('payment', { states: stateCodes.slice(0, count) })).token);
      equal(left(session), minutes, String(count));
      if (count !== 6) continue;
      const billed = { ...session.application, paymentMethod: 'partner_billing' } as const;
      equal(left(session, { application: billed }), 2);
      const { identity: _, ...withoutIdentity } = session.saved;
      equal(left(session, { saved: withoutIdentity }), 4);
      const { background: __, ...withoutBackground } = session.saved;
      ok(left(session, { saved: withoutBackground }) > 3);
    }
  });

  it('A receipt number is short, has no letters that are confused, and is always the same.', () => {
    const numbers = Array.from({ length: 200 }, (_, index) => receiptNumberOf(`app_${index}`));
    for (const number of numbers) match(number, /^[2-9A-HJ-NP-TV-Z]{4}-[2-9A-HJ-NP-TV-Z]{4}$/);
    equal(new Set(numbers).size, 200);
    equal(receiptNumberOf('app_1'), numbers[1]);
    notEqual(receiptNumberOf('app_1'), receiptNumberOf('app_2'));
  });

  it("The operator's processor serves its modes, test mode has a separate one, and no numbers are typed in live mode.", () => {
    const processor = (modes: string[], cardEntry: PaymentProcessor['cardEntry']) => {
      const refused = () => Promise.reject(new Error('not called'));
      const calls = { authorize: refused, lookUp: refused, capture: refused, void: refused, refund: refused };
      return { serves: (mode: string) => modes.includes(mode), cardEntry, ...calls };
    };
    const ofTestMode = processor(['test'], 'typed');
    const live = processor(['live'], 'page');
    deepEqual((['live', 'test'] as const).map(chooseProcessors(live, ofTestMode)), [live, ofTestMode]);
    const both = processor(['live', 'test'], 'fields');
    deepEqual((['live', 'test'] as const).map(chooseProcessors(both, ofTestMode)), [both, both]);
    deepEqual((['live', 'test'] as const).map(chooseProcessors(undefined, ofTestMode)), [undefined, ofTestMode]);
    doesNotThrow(() => chooseProcessors(processor(['test'], 'typed'), ofTestMode));
    throws(() => chooseProcessors(processor(['live'], 'typed'), ofTestMode), TypeError);
  });
});
