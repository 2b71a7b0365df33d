/**
 * Charges the fees by Stripe. The user pays on Stripe's own page (a Checkout Session), which asks
 * for the card or the bank account and for 3-D Secure. No number reaches the bridge.
 *
 * How the contract of `PaymentProcessor` maps to Stripe:
 *
 * 1. A payment is one Checkout Session. `client_reference_id` of the session, and the metadata of
 *    its PaymentIntent, have the payment id. The bridge keeps the id of the session (`cs_…`) as the
 *    reference, and later that of the PaymentIntent (`pi_…`), which the Dashboard shows.
 * 2. Each request that changes something has an idempotency key, made from the payment id or the
 *    refund id. Stripe forgets keys after 24 hours, and jobs retry for days. So each request also
 *    first reads what Stripe has: a capture or void the status, and a refund the list of refunds.
 * 3. After a lost answer, the session is found in the list of recent sessions. Search by metadata
 *    would be shorter, but Stripe updates its index up to an hour late. The list is up to date.
 *    Nobody can have paid there: only the answer that was lost has the URL of the page.
 * 4. A card is authorized, and captured later. Stripe takes the money of a bank account at once, and
 *    says days later whether it arrived. So the capture of a bank account only marks the
 *    PaymentIntent, and its void is a refund of the whole amount.
 */
import Stripe from 'stripe';
import type { Mode } from '../../../contract/index.js';
import { isStripeKey } from '../../config/environment-stripe.js';
import { isLoopbackHost } from '../../config/environment-values.js';
import type {
  AuthorizeRequest,
  OperationOutcome,
  PayingMethod,
  PaymentKey,
  PaymentProcessor,
} from '../../ports/payment-processor.js';
import { isChangedState, refusalOf, toStripeFailure } from './failures.js';
import {
  assertOwnIntent,
  assertOwnSession,
  expandedIntent,
  isBankAccount,
  latestCharge,
  outcomeOfIntent,
  outcomeOfSession,
} from './outcomes.js';

/** The keys of one mode. */
export interface StripeKeys {
  /** A secret key (`sk_…`), or a restricted one (`rk_…`) with the permissions of docs/bridge/stripe.md. */
  secretKey: string;
  /** The signing secret of the webhook endpoint (`whsec_…`). Default: notifications are ignored. */
  webhookSecret?: string | undefined;
}

/** The account of the operator. */
export interface StripeProcessorOptions {
  /** The keys of live mode. Default: live mode is not served. */
  live?: StripeKeys | undefined;
  /** The keys of test mode. Default: test mode is not served. */
  test?: StripeKeys | undefined;
  /** The offered methods, which the account must have activated. Default: cards. */
  methods?: readonly PayingMethod[] | undefined;
  /**
   * The origin of a substitute for Stripe's API, for tests. Only on a loopback host: anywhere else it
   * would receive the keys. Default: Stripe.
   */
  apiUrl?: string | undefined;
  /** The timeout of one request, in milliseconds. Default: 10000. */
  timeoutMs?: number;
}

interface Account {
  client: Stripe;
  webhookSecret: string | undefined;
}

/**
 * The lifetime of the page, in seconds. The bridge gives a payment up after an hour, and by then
 * nobody may be able to pay any more. Stripe's least is 30 minutes.
 */
const pageSeconds = 50 * 60;

/**
 * How far back a session without a known reference can be, in seconds: the lifetime of the page, and
 * a difference between the clocks.
 */
const recentSeconds = pageSeconds + 15 * 60;

/** The age at which a notification is too old, in seconds: a recorded one could be sent again. */
const toleranceSeconds = 300;

/** With its retries, a call ends before the minute after which the bridge counts it as never sent. */
const networkRetries = 2;

const paymentMethodTypes = { card: 'card', bankAccount: 'us_bank_account' } as const;

/** Spanish as in the Americas. */
const locales = { en: 'en', es: 'es-419' } as const;

/** The events that may change the result of a payment. Every other one is ignored. */
const followedEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
];

/** The mark of a bank account's payment that the bridge has captured. */
const captured = { captured: 'yes' };

const charge = { expand: ['latest_charge'] };
const intentAndCharge = { expand: ['payment_intent.latest_charge'] };

/**
 * Creates the processor. It sends no request before the first payment.
 *
 * @throws TypeError for a key of the wrong mode, or an `apiUrl` that is not on a loopback host.
 */
export function createStripeProcessor(options: StripeProcessorOptions): PaymentProcessor {
  const { methods = ['card'] } = options;
  const accounts: Record<Mode, Account | undefined> = {
    live: openAccount('live', options),
    test: openAccount('test', options),
  };

  function clientOf(mode: Mode): Stripe {
    const account = accounts[mode];
    if (!account) throw new TypeError(`Stripe has no key for ${mode} mode.`);
    return account.client;
  }

  async function authorize(request: AuthorizeRequest) {
    const client = clientOf(request.mode);
    const session = await createSession(client, request);
    assertOwnSession(session, request.paymentId);
    return outcomeOfSession(session);
  }

  async function lookUp({ paymentId, mode, reference }: PaymentKey) {
    const client = clientOf(mode);
    if (reference?.startsWith('pi_')) {
      const intent = await client.paymentIntents.retrieve(reference, charge);
      assertOwnIntent(intent, paymentId);
      return outcomeOfIntent(intent);
    }
    const session = await findSession(client, { paymentId, reference });
    return session ? outcomeOfSession(session) : ({ status: 'unknown' } as const);
  }

  async function closePage({ paymentId, mode, reference }: PaymentKey): Promise<void> {
    if (reference?.startsWith('pi_')) return;
    const client = clientOf(mode);
    const session = await findSession(client, { paymentId, reference });
    if (session?.status !== 'open') return;
    try {
      await client.checkout.sessions.expire(session.id);
    } catch (error) {
      // The user has just paid in another window, or the page has just expired.
      const { status } = await client.checkout.sessions.retrieve(session.id);
      if (status === 'open') throw error;
    }
  }

  function capture({ amountCents, ...key }: PaymentKey & { amountCents: number }): Promise<OperationOutcome> {
    const client = clientOf(key.mode);
    const once = { idempotencyKey: `capture-${key.paymentId}` };
    return operate(client, key, {
      decide: (intent) => decideCapture(intent, amountCents),
      send: ({ id, ...intent }) =>
        isBankAccount(intent)
          ? client.paymentIntents.update(id, { metadata: captured }, once)
          : client.paymentIntents.capture(id, { amount_to_capture: amountCents }, once),
    });
  }

  function voidPayment(key: PaymentKey): Promise<OperationOutcome> {
    const client = clientOf(key.mode);
    const { paymentId } = key;
    return operate(client, key, {
      decide: decideVoid,
      send: ({ id, status }) =>
        status === 'succeeded'
          ? client.refunds.create(
              { payment_intent: id, metadata: { payment_id: paymentId } },
              { idempotencyKey: `give-back-${paymentId}` },
            )
          : client.paymentIntents.cancel(
              id,
              { cancellation_reason: 'abandoned' },
              { idempotencyKey: `void-${paymentId}` },
            ),
    });
  }

  function refund({
    refundId,
    amountCents,
    ...key
  }: PaymentKey & { refundId: string; amountCents: number }): Promise<OperationOutcome> {
    const client = clientOf(key.mode);
    const metadata = { payment_id: key.paymentId, refund_id: refundId };
    return operate(client, key, {
      async decide(intent) {
        if (!isCaptured(intent)) return refuse(intent.status === 'canceled' ? 'voided' : 'not_captured');
        const made = await findRefund(client, intent.id, refundId);
        if (made) return made.status === 'failed' || made.status === 'canceled' ? refuse('other') : done;
        return amountCents > refundableCents(intent) ? refuse('too_much') : undefined;
      },
      send: ({ id }) =>
        client.refunds.create(
          { payment_intent: id, amount: amountCents, metadata },
          { idempotencyKey: `refund-${key.paymentId}-${refundId}` },
        ),
    });
  }

  return {
    serves: (mode) => accounts[mode] !== undefined,
    cardEntry: 'page',
    methods,
    authorize: (request) => guarded(() => authorize(request)),
    lookUp: (payment) => guarded(() => lookUp(payment)),
    capture: (request) => guarded(() => capture(request)),
    void: (payment) => guarded(() => voidPayment(payment)),
    refund: (request) => guarded(() => refund(request)),
    closePage: (payment) => guarded(() => closePage(payment)),
    check: () =>
      guarded(async () => {
        for (const account of Object.values(accounts)) await account?.client.checkout.sessions.list({ limit: 1 });
      }),
    readNotification({ headers, body }) {
      for (const mode of ['live', 'test'] as const) {
        const account = accounts[mode];
        const paymentId = account && readEvent(account, mode, { signature: headers['stripe-signature'], body });
        if (paymentId !== undefined) return Promise.resolve(paymentId);
      }
      return Promise.resolve(undefined);
    },
  };
}

function openAccount(
  mode: Mode,
  { [mode]: keys, apiUrl, timeoutMs = 10_000 }: StripeProcessorOptions,
): Account | undefined {
  if (keys === undefined) return undefined;
  // A live key in test mode would charge real cards for applications that nobody files.
  if (!isStripeKey(keys.secretKey, mode)) {
    throw new TypeError(`createStripeProcessor: ${mode}.secretKey must start with sk_${mode}_ or rk_${mode}_.`);
  }
  const client = new Stripe(keys.secretKey, {
    ...serverOf(apiUrl),
    timeout: timeoutMs,
    maxNetworkRetries: networkRetries,
    // Durations of earlier requests are nobody's business.
    telemetry: false,
  });
  return { client, webhookSecret: keys.webhookSecret };
}

function serverOf(apiUrl: string | undefined): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  if (!isLoopbackHost(hostname)) throw new TypeError('createStripeProcessor: apiUrl must be on a loopback host.');
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? 'http' : 'https',
    // The brackets of an IPv6 address are those of the URL.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isPlain ? 80 : 443) : port,
  };
}

/** Replaces errors of the library, which quote requests, by ones that have a code only. */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStripeFailure(error);
  }
}

/** Creates the session of a payment, or finds the one that an earlier call has created. */
async function createSession(client: Stripe, request: AuthorizeRequest): Promise<Stripe.Checkout.Session> {
  const { paymentId } = request;
  try {
    const session = await client.checkout.sessions.create(pageOf(request), {
      idempotencyKey: `authorize-${paymentId}`,
    });
    // A repeated answer shows the session as it was when it was new.
    const isRepeated = session.lastResponse.headers['idempotent-replayed'] === 'true';
    return isRepeated ? await client.checkout.sessions.retrieve(session.id, intentAndCharge) : session;
  } catch (error) {
    // The call before was a second ago, so its `expires_at` was another one.
    const isSameKey = error instanceof Stripe.errors.StripeIdempotencyError;
    const session = isSameKey ? await findSession(client, { paymentId, reference: null }) : undefined;
    if (!session) throw error;
    return session;
  }
}

function pageOf(request: AuthorizeRequest): Stripe.Checkout.SessionCreateParams {
  const { paymentId, amountCents, description, method, language } = request;
  const product = { currency: 'usd', unit_amount: amountCents, product_data: { name: description } };
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    line_items: [{ price_data: product, quantity: 1 }],
    allowed_payment_method_types: [paymentMethodTypes[method]],
    payment_intent_data: {
      description,
      metadata: { payment_id: paymentId },
      // Stripe refuses it for bank accounts, see the module's comment.
      ...(method === 'card' && { capture_method: 'manual' }),
    },
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    locale: locales[language],
    // Of the machine's clock, because Stripe compares it with its own.
    expires_at: Math.floor(Date.now() / 1_000) + pageSeconds,
    // Prices in other currencies would not be the fees of the states.
    adaptive_pricing: { enabled: false },
  };
}

async function findSession(
  client: Stripe,
  { paymentId, reference }: Pick<PaymentKey, 'paymentId' | 'reference'>,
): Promise<Stripe.Checkout.Session | undefined> {
  if (reference !== null) {
    const session = await client.checkout.sessions.retrieve(reference, intentAndCharge);
    assertOwnSession(session, paymentId);
    return session;
  }
  const since = Math.floor(Date.now() / 1_000) - recentSeconds;
  const expand = ['data.payment_intent.latest_charge'];
  for await (const session of client.checkout.sessions.list({ created: { gte: since }, limit: 100, expand })) {
    if (session.client_reference_id === paymentId) return session;
  }
  return undefined;
}

/** The PaymentIntent of a payment; `undefined` when nobody has paid. */
async function findIntent(client: Stripe, key: PaymentKey): Promise<Stripe.PaymentIntent | undefined> {
  const { paymentId, reference } = key;
  if (reference === null) return undefined;
  const intent = reference.startsWith('pi_')
    ? await client.paymentIntents.retrieve(reference, charge)
    : expandedIntent(await findSession(client, key));
  if (intent) assertOwnIntent(intent, paymentId);
  return intent;
}

/** A change of a PaymentIntent. */
interface Operation {
  /** The outcome, when it was sent before or cannot succeed; `undefined` when it is to be sent. */
  decide(intent: Stripe.PaymentIntent): OperationOutcome | undefined | Promise<OperationOutcome | undefined>;
  send(intent: Stripe.PaymentIntent): Promise<unknown>;
}

const done: OperationOutcome = { status: 'done' };

function refuse(reason: Extract<OperationOutcome, { status: 'refused' }>['reason']): OperationOutcome {
  return { status: 'refused', reason };
}

async function operate(client: Stripe, key: PaymentKey, { decide, send }: Operation): Promise<OperationOutcome> {
  const intent = await findIntent(client, key);
  if (!intent) return refuse('unknown_payment');
  const decided = await decide(intent);
  if (decided) return decided;
  try {
    await send(intent);
    return done;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason !== undefined) return refuse(reason);
    if (!isChangedState(error)) throw error;
    // Another instance was quicker, or the authorization has just expired.
    const changed = await findIntent(client, key);
    const outcome = changed && (await decide(changed));
    if (!outcome) throw error;
    return outcome;
  }
}

function decideCapture(intent: Stripe.PaymentIntent, amountCents: number): OperationOutcome | undefined {
  if (isCaptured(intent)) return done;
  if (isBankAccount(intent)) {
    if (intent.status !== 'succeeded') return refuse('other');
    if (isRefunded(intent)) return refuse('voided');
    return amountCents > intent.amount_received ? refuse('too_much') : undefined;
  }
  if (intent.status === 'canceled') return refuse(isExpired(intent) ? 'expired' : 'voided');
  if (intent.status !== 'requires_capture') return refuse('other');
  return amountCents > intent.amount_capturable ? refuse('too_much') : undefined;
}

function decideVoid(intent: Stripe.PaymentIntent): OperationOutcome | undefined {
  if (isCaptured(intent)) return refuse('captured');
  // The money of an expired authorization is free, too.
  const isFree = intent.status === 'canceled' || (intent.status === 'succeeded' && isRefunded(intent));
  return isFree ? done : undefined;
}

/** Whether the bridge has captured it: for a bank account, `succeeded` says only that it was paid. */
function isCaptured(intent: Stripe.PaymentIntent): boolean {
  if (intent.status !== 'succeeded') return false;
  return !isBankAccount(intent) || intent.metadata['captured'] === captured.captured;
}

function isRefunded(intent: Stripe.PaymentIntent): boolean {
  return refundableCents(intent) === 0;
}

function refundableCents(intent: Stripe.PaymentIntent): number {
  const made = latestCharge(intent);
  return made ? made.amount_captured - made.amount_refunded : 0;
}

/** Stripe's own cancellation: ours is `abandoned`, and people in the Dashboard choose other reasons. */
function isExpired({ cancellation_reason: reason }: Stripe.PaymentIntent): boolean {
  return reason === 'automatic' || reason === 'expired';
}

async function findRefund(client: Stripe, intentId: string, refundId: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of client.refunds.list({ payment_intent: intentId, limit: 100 })) {
    if (refund.metadata?.['refund_id'] === refundId) return refund;
  }
  return undefined;
}

/** The payment id of a signed event of this mode; `undefined` for every other request. */
function readEvent(
  { client, webhookSecret }: Account,
  mode: Mode,
  { signature, body }: { signature: string | undefined; body: string },
): string | undefined {
  if (webhookSecret === undefined || signature === undefined) return undefined;
  let event: Stripe.Event;
  try {
    event = client.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds);
  } catch {
    return undefined;
  }
  if (event.livemode !== (mode === 'live') || !followedEvents.includes(event.type)) return undefined;
  return (event.data.object as Stripe.Checkout.Session).client_reference_id ?? undefined;
}
