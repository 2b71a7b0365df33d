import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it, mock, test } from 'node:test';
import { inspect } from 'node:util';
import { createStripeProcessor } from '../../../src/bridge/adapters/stripe/stripe-processor.js';
import { testPaymentProcessor } from '../../../src/bridge/conformance/index.js';
import type {
  AuthorizeRequest,
  PayingMethod,
  PaymentKey,
  PaymentProcessor,
} from '../../../src/bridge/ports/payment-processor.js';
import { stripeTestNumbers } from '../../support/stripe/account.js';
import { startStripeServer, type StripeServer } from '../../support/stripe/server.js';

/** The permissions of a restricted key, as in docs/bridge/stripe.md. */
const permissions = ['checkout_session_write', 'payment_intent_write', 'charge_write'] as const;
const methods: readonly PayingMethod[] = ['card', 'bankAccount'];

/** A request is sent up to three times. */
const attempts = 3;

const day = 86_400;

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

for (const mode of ['live', 'test'] as const) {
  testPaymentProcessor(`of Stripe in ${mode} mode, with a restricted key`, async () => {
    const server = await startStripeServer();
    server.bankMs = 200;
    const keys = { secretKey: server.restrict(mode, permissions) };
    const page = { kind: 'page' } as const;
    return {
      processor: createStripeProcessor({ [mode]: keys, methods, apiUrl: server.url }),
      mode,
      sources: { accepted: page, declined: page, challenged: page, bankAccount: page },
      async finishPage(url, entry, how) {
        if (entry === 'slow') throw new Error('Stripe answers every card at once.');
        await post(url, { number: stripeTestNumbers[entry] });
        if (entry === 'challenged') await post(url, { [how]: 'yes' });
      },
      loseAnswers: (count) => {
        server.loseAnswers(count * attempts);
      },
      stop: () => server.stop(),
    };
  });
}

describe('the payment processor of Stripe', () => {
  let server: StripeServer;
  let processor: PaymentProcessor;
  beforeEach(async () => {
    server = await startStripeServer();
    processor = createStripeProcessor({ ...server.keys, methods, apiUrl: server.url, timeoutMs: 500 });
  });
  afterEach(() => server.stop());

  const request = (change: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
    paymentId: `pay_${randomUUID()}`,
    amountCents: 15_120,
    mode: 'live',
    description: 'License application fees',
    method: 'card',
    source: { kind: 'page' },
    returnUrl: 'https://apply.example/p/1/token?lang=es',
    cancelUrl: 'https://apply.example/p/1/token/cancel?lang=es',
    language: 'es',
    ...change,
  });

  /** A payment whose user is on the page. */
  async function redirected(change: Partial<AuthorizeRequest> = {}) {
    const asked = request(change);
    const outcome = await processor.authorize(asked);
    ok(outcome.status === 'redirect' && outcome.reference !== undefined);
    const key: PaymentKey = { paymentId: asked.paymentId, mode: 'live', reference: outcome.reference };
    return { asked, key, url: outcome.url, sessionId: outcome.reference };
  }

  /** A payment that the user has made. */
  async function paid(number: string = stripeTestNumbers.accepted, change: Partial<AuthorizeRequest> = {}) {
    const begun = await redirected(change);
    equal((await post(begun.url, { number })).status, 303);
    server.accounts.live.answerBank(begun.sessionId);
    const found = await processor.lookUp(begun.key);
    ok('reference' in found && typeof found.reference === 'string');
    return { ...begun, found, key: { ...begun.key, reference: found.reference } };
  }
  const requestsSince = (count: number) => server.requests.slice(count).map(({ request: line }) => line);

  it('The page asks for the fees in the language of the user, and leads back to the bridge.', async () => {
    const { sessionId, asked } = await redirected();
    const session = server.accounts.live.readSession(sessionId);
    const { amount_total, currency, locale, success_url, cancel_url, payment_method_types, livemode } = session;
    deepEqual(
      { amount_total, currency, locale, success_url, cancel_url, payment_method_types, livemode },
      {
        amount_total: 15_120,
        currency: 'usd',
        locale: 'es-419',
        success_url: asked.returnUrl,
        cancel_url: asked.cancelUrl,
        payment_method_types: ['card'],
        livemode: true,
      },
    );
    // The bridge declines the payment after an hour.
    ok(session.expires_at - session.created < 3_600);
  });

  it('A card is held and not taken until the capture, and the reference is the payment in the Dashboard.', async () => {
    const { found, key } = await paid();
    ok(found.status === 'authorized');
    match(found.reference, /^pi_/);
    equal(found.cardLast4, '4242');
    const intent = server.accounts.live.readIntent(found.reference);
    deepEqual([intent.status, intent.amount_received], ['requires_capture', 0]);
    deepEqual(await processor.capture({ ...key, amountCents: 15_120 }), { status: 'done' });
    equal(server.accounts.live.readIntent(found.reference).amount_received, 15_120);
  });

  it('A card that is declined can be replaced on the page, and the payment is declined when the page is left.', async () => {
    const { key, url } = await redirected();
    match(await (await post(url, { number: stripeTestNumbers.declined })).text(), /Se rechazó su tarjeta/);
    equal((await processor.lookUp(key)).status, 'redirect');
    await processor.closePage?.(key);
    const found = await processor.lookUp(key);
    deepEqual(found, { status: 'declined', reference: key.reference, reason: 'card_declined' });
    equal((await post(url, { number: stripeTestNumbers.accepted })).status, 410);
  });

  it('A payment whose page expires is declined, and the page takes no payment any more.', async () => {
    const { key, url } = await redirected();
    server.pass(3_600);
    const found = await processor.lookUp(key);
    deepEqual(found, { status: 'declined', reference: key.reference, reason: 'canceled' });
    equal((await post(url, { number: stripeTestNumbers.accepted })).status, 410);
  });

  it('A payment that was made in another window counts, although the user left the page.', async () => {
    const { key, url } = await redirected();
    await post(url, { number: stripeTestNumbers.accepted });
    await processor.closePage?.(key);
    equal((await processor.lookUp(key)).status, 'authorized');
  });

  it('A bank account that fails days later is declined as an account.', async () => {
    const { found } = await paid(stripeTestNumbers.failingBankAccount, { method: 'bankAccount' });
    ok(found.status === 'declined');
    equal(found.reason, 'account_declined');
  });

  it('The money of a bank account is given back when the payment is voided.', async () => {
    const { key, found } = await paid(stripeTestNumbers.bankAccount, { method: 'bankAccount' });
    ok(found.status === 'authorized');
    deepEqual(await processor.void(key), { status: 'done' });
    const [refund] = server.accounts.live.listRefunds(found.reference);
    equal(refund?.amount, 15_120);
    deepEqual(await processor.refund({ ...key, refundId: 'ref_1', amountCents: 1 }), {
      status: 'refused',
      reason: 'not_captured',
    });
  });

  it('An authorization that expired cannot be captured, which is said, and counts as released.', async () => {
    const { key } = await paid();
    server.pass(8 * day);
    deepEqual(await processor.capture({ ...key, amountCents: 15_120 }), { status: 'refused', reason: 'expired' });
    deepEqual(await processor.void(key), { status: 'done' });
  });

  it('More than what is held or taken is refused before it is sent.', async () => {
    const { key } = await paid();
    const before = server.requests.length;
    const tooMuch = { status: 'refused', reason: 'too_much' };
    deepEqual(await processor.capture({ ...key, amountCents: 15_121 }), tooMuch);
    deepEqual(requestsSince(before), [`GET /v1/payment_intents/${key.reference}`]);
    await processor.capture({ ...key, amountCents: 15_120 });
    deepEqual(await processor.refund({ ...key, refundId: 'ref_1', amountCents: 15_121 }), tooMuch);
  });

  it('A refund that is repeated days later is made once, although Stripe has forgotten its key.', async () => {
    const { key } = await paid();
    await processor.capture({ ...key, amountCents: 15_120 });
    const refund = () => processor.refund({ ...key, refundId: 'ref_late', amountCents: 100 });
    server.loseAnswers(attempts, /POST .*refunds/);
    await rejects(refund());
    server.pass(3 * day);
    deepEqual(await refund(), { status: 'done' });
    equal(server.accounts.live.listRefunds(key.reference).length, 1);
  });

  it('A call that is repeated a second later finds the page of the first, although its end is another one.', async (t) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    t.after(() => {
      mock.timers.reset();
    });
    const asked = request();
    const first = await processor.authorize(asked);
    mock.timers.tick(1_000);
    deepEqual(await processor.authorize(asked), first);
  });

  it('A page whose answer was lost is found among many others.', async () => {
    const asked = request();
    server.loseAnswers(attempts);
    await rejects(processor.authorize(asked));
    for (let count = 0; count < 101; count += 1) await processor.authorize(request());
    const key = { paymentId: asked.paymentId, mode: 'live', reference: null } as const;
    equal((await processor.lookUp(key)).status, 'redirect');
    await processor.closePage?.(key);
    equal((await processor.lookUp(key)).status, 'declined');
    equal((await processor.lookUp({ ...key, mode: 'test' })).status, 'unknown');
  });

  it('Two calls at once are one page, also when Stripe is busy with the first.', async () => {
    server.slowMs = 100;
    const asked = request();
    const both = await Promise.all([processor.authorize(asked), processor.authorize(asked)]);
    server.slowMs = 0;
    deepEqual(both[0], both[1]);
  });

  it('Every request that changes something has a key of its payment or refund.', async () => {
    const before = server.requests.length;
    const { key } = await paid();
    await processor.capture({ ...key, amountCents: 15_120 });
    await processor.refund({ ...key, refundId: 'ref_1', amountCents: 5 });
    const keys = server.requests.slice(before).flatMap(({ key: idempotencyKey }) => idempotencyKey ?? []);
    const { paymentId } = key;
    deepEqual(keys, [`authorize-${paymentId}`, `capture-${paymentId}`, `refund-${paymentId}-ref_1`]);
  });

  /** What happens when Stripe does not answer as it should: the code that the bridge logs. */
  const failures: [what: string, fail: () => Promise<unknown>, code: RegExp][] = [
    [
      'answers with 500, also to every repetition',
      () => {
        server.fail(attempts, 500);
        return processor.authorize(request());
      },
      /^StripeAPIError$/,
    ],
    [
      'has had too many requests',
      () => {
        server.fail(1, 429);
        return processor.authorize(request());
      },
      /^StripeRateLimitError$/,
    ],
    [
      'does not answer in time',
      () => {
        server.hang(attempts);
        return processor.authorize(request());
      },
      /^ETIMEDOUT$/,
    ],
    [
      'is not reached',
      () => createStripeProcessor({ ...server.keys, apiUrl: 'http://127.0.0.1:9' }).authorize(request()),
      /^ECONNREFUSED$/,
    ],
    [
      'does not know the key',
      () => createStripeProcessor({ live: { secretKey: 'sk_live_wrong' }, apiUrl: server.url }).authorize(request()),
      /^StripeAuthenticationError$/,
    ],
    [
      'refuses a restricted key without the permission',
      () => {
        const live = { secretKey: server.restrict('live', ['checkout_session_read']) };
        return createStripeProcessor({ live, apiUrl: server.url }).authorize(request());
      },
      /^StripePermissionError$/,
    ],
    ['asks for more than the fees', () => processor.authorize(request({ amountCents: 49 })), /^amount_too_small$/],
    [
      'has no such payment, such as another account',
      () => processor.lookUp({ paymentId: 'pay_1', mode: 'live', reference: 'pi_unknown' }),
      /^resource_missing$/,
    ],
    [
      'has no key for the mode',
      () => createStripeProcessor({ live: server.keys.live }).authorize(request({ mode: 'test' })),
      /^unknown$/,
    ],
  ];
  for (const [what, fail, code] of failures) {
    it(`A request rejects with a code and no text when Stripe ${what}.`, async () => {
      const error = await fail().then(
        () => undefined,
        (thrown: unknown) => thrown as Error & { code?: string },
      );
      ok(error);
      match(error.code ?? 'unknown', code);
      const text = inspect(error, { depth: 9, showHidden: true });
      ok(!/[sr]k_live_|apply\.example|rak_|Invalid API/.test(text), text);
    });
  }

  it('An error of Stripe that passes is not noticed: the library repeats the request with the same key.', async () => {
    server.fail(1, 500);
    equal((await processor.authorize(request())).status, 'redirect');
    server.loseAnswers(1);
    const { paymentId } = request();
    equal((await processor.authorize(request({ paymentId }))).status, 'redirect');
    const { sessions } = server.accounts.live;
    equal([...sessions.values()].filter((session) => session.client_reference_id === paymentId).length, 1);
  });

  it('A capture whose answers were lost is done when it is repeated, and is made once.', async () => {
    const { key } = await paid();
    const before = server.requests.length;
    const capture = () => processor.capture({ ...key, amountCents: 15_120 });
    server.loseAnswers(attempts, /POST .*capture/);
    await rejects(capture());
    deepEqual(await capture(), { status: 'done' });
    // Those of the first call have the same key. The second one reads that it is done.
    equal(requestsSince(before).filter((line) => line.endsWith('/capture')).length, attempts);
  });

  it('A payment of another one is not taken for this one.', async () => {
    const [mine, other] = [await paid(), await paid()];
    const mixed = { ...mine.key, reference: other.key.reference };
    await rejects(processor.lookUp(mixed), /another payment/);
    await rejects(processor.capture({ ...mixed, amountCents: 15_120 }), /another payment/);
    await rejects(processor.lookUp({ ...mine.key, reference: other.sessionId }), /another payment/);
  });

  it('A notification is read only when it is signed, recent and of the right mode.', async () => {
    const { sessionId, asked } = await paid();
    const read = (change?: Parameters<StripeServer['eventOf']>[2]) =>
      processor.readNotification?.(server.eventOf('live', sessionId, change));
    for (const type of ['completed', 'async_payment_succeeded', 'async_payment_failed', 'expired']) {
      equal(await read({ type: `checkout.session.${type}` }), asked.paymentId);
    }
    // The same one twice is the same payment twice, and Stripe's order does not matter.
    equal(await read(), asked.paymentId);
    equal(await read({ ageSeconds: 290 }), asked.paymentId);
    equal(await read({ ageSeconds: 310 }), undefined);
    equal(await read({ secret: 'whsec_wrong' }), undefined);
    equal(await read({ secret: server.keys.test.webhookSecret }), undefined);
    equal(await read({ isLive: false }), undefined);
    equal(await read({ type: 'payment_intent.created' }), undefined);
    const { headers, body } = server.eventOf('live', sessionId);
    ok(body.includes('15120'));
    equal(await processor.readNotification?.({ headers, body: body.replace('15120', '15121') }), undefined);
    equal(await processor.readNotification?.({ headers: {}, body }), undefined);
    const silent = createStripeProcessor({ live: { secretKey: server.keys.live.secretKey }, apiUrl: server.url });
    equal(await silent.readNotification?.({ headers, body }), undefined);
  });
});

test('The check tries the key of each mode, and changes nothing.', async (t) => {
  const server = await startStripeServer();
  t.after(() => server.stop());
  const { live, test: ofTest } = server.keys;
  await createStripeProcessor({ live, test: ofTest, apiUrl: server.url }).check?.();
  const wrong = { secretKey: 'rk_test_wrong' };
  await rejects(async () => createStripeProcessor({ live, test: wrong, apiUrl: server.url }).check?.(), {
    code: 'StripeAuthenticationError',
  });
  ok(server.requests.every(({ request: line }) => line.startsWith('GET ')));
});

test('Stripe serves the modes that have a key, and takes cards unless it is told more.', () => {
  const live = createStripeProcessor({ live: { secretKey: 'rk_live_1' } });
  deepEqual([live.serves('live'), live.serves('test'), live.cardEntry, live.methods], [true, false, 'page', ['card']]);
});

test('A key of the other mode, and a substitute of Stripe on another machine, are refused at once.', () => {
  const key = { secretKey: 'sk_live_1' };
  throws(() => createStripeProcessor({ test: key }), /test\.secretKey must start with sk_test_ or rk_test_/);
  throws(() => createStripeProcessor({ live: { secretKey: 'sk_test_1' } }), /live\.secretKey must start with sk_live_/);
  for (const apiUrl of ['https://stripe.example', 'http://10.0.0.1', 'http://localhost.example']) {
    throws(() => createStripeProcessor({ live: key, apiUrl }), /apiUrl must be on a loopback host/);
  }
});
