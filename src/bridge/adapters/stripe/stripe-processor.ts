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
 *    No user can have paid there: only the answer that was lost has the URL of the page.
 * 4. A card is authorized, and captured later. Stripe takes the money of a bank account at once, and
 *    says days later whether it arrived. So the capture of a bank account only marks the
 *    PaymentIntent, and its void is a refund of the whole amount.
 */
import Stripe from 'stripe';
import { type Mode, modes } from '../../../contract/index.js';
import { isStripeKey } from '../../config/environment-stripe.js';
import { isLoopbackHost } from '../../config/environment-values.js';
import type { AuthorizeRequest, PayingMethod, PaymentKey, PaymentProcessor } from '../../ports/payment-processor.js';
import { createSession, findSession, isIntentId, retrieveIntent } from './checkout-session.js';
import { toStripeFailure } from './failures.js';
import { type Account, readEvent } from './notifications.js';
import { capture, refund, voidPayment } from './operations.js';
import { assertOwnSession, outcomeOfIntent, outcomeOfSession } from './outcomes.js';

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

/** With its retries, a call ends before the minute after which the bridge counts it as never sent. */
const networkRetries = 2;

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
    if (isIntentId(reference)) return outcomeOfIntent(await retrieveIntent(client, { paymentId, reference }));
    const session = await findSession(client, { paymentId, reference });
    return session ? outcomeOfSession(session) : ({ status: 'unknown' } as const);
  }

  async function closePage({ paymentId, mode, reference }: PaymentKey): Promise<void> {
    if (isIntentId(reference)) return;
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

  return {
    serves: (mode) => accounts[mode] !== undefined,
    cardEntry: 'page',
    methods,
    authorize: (request) => guarded(() => authorize(request)),
    lookUp: (payment) => guarded(() => lookUp(payment)),
    capture: (request) => guarded(() => capture(clientOf(request.mode), request)),
    void: (payment) => guarded(() => voidPayment(clientOf(payment.mode), payment)),
    refund: (request) => guarded(() => refund(clientOf(request.mode), request)),
    closePage: (payment) => guarded(() => closePage(payment)),
    check: () =>
      guarded(async () => {
        for (const account of Object.values(accounts)) await account?.client.checkout.sessions.list({ limit: 1 });
      }),
    readNotification({ headers, body }) {
      for (const mode of modes) {
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
  // A live key in test mode would charge real cards for applications that are not filed.
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
