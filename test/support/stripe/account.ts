import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { newCharge, newIntent, newRefund, newSession } from './objects.js';

/** A request that Stripe refuses. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly error: { type: string; message: string; code?: string; param?: string };

  constructor(status: number, error: StripeRefusal['error']) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** Stripe's test cards, and the accounts of its test bank, whose routing number is 110000000. */
export const stripeTestNumbers = {
  accepted: '4242424242424242',
  declined: '4000000000000002',
  /** Requires 3-D Secure. */
  challenged: '4000002760003184',
  bankAccount: '000123456789',
  /** The bank answers that it does not exist. */
  failingBankAccount: '000111111116',
} as const;

/** The outcome of a form on the page; a challenge asks the user to confirm. */
export type PageResult = 'paid' | 'declined' | 'challenge';

/** The objects of one account and mode, which change as Stripe's do. */
export interface StripeAccount {
  sessions: ReadonlyMap<string, Stripe.Checkout.Session>;
  intents: ReadonlyMap<string, Stripe.PaymentIntent>;
  charges: ReadonlyMap<string, Stripe.Charge>;
  refunds: ReadonlyMap<string, Stripe.Refund>;
  createSession(params: Params): Stripe.Checkout.Session;
  readSession(id: string): Stripe.Checkout.Session;
  listSessions(since: number): Stripe.Checkout.Session[];
  expireSession(id: string): Stripe.Checkout.Session;
  readIntent(id: string): Stripe.PaymentIntent;
  changeMetadata(id: string, metadata: Record<string, string>): Stripe.PaymentIntent;
  capture(id: string, amount: number | undefined): Stripe.PaymentIntent;
  cancel(id: string, reason: string | undefined): Stripe.PaymentIntent;
  refund(intentId: string, amount: number | undefined, metadata: Record<string, string>): Stripe.Refund;
  listRefunds(intentId: string): Stripe.Refund[];
  /** The user enters a number on the page. */
  pay(sessionId: string, number: string): PageResult;
  /** The user's bank confirms the payment by 3-D Secure, or does not. */
  confirm(sessionId: string, isPassed: boolean): PageResult;
  /** The bank of an account answers. */
  answerBank(sessionId: string): void;
}

/** The parameters of a request, by their flat names such as `line_items.0.quantity`. */
export type Params = ReadonlyMap<string, string>;

/** An authorization is valid for a week. */
const authorizationSeconds = 7 * 86_400;

/** Creates an account without payments. `now` is Stripe's clock, in seconds. */
export function createStripeAccount({
  isLive,
  url,
  now,
  onEvent,
  activeTypes,
}: {
  isLive: boolean;
  url: string;
  now: () => number;
  onEvent: (type: Stripe.Event['type'], session: Stripe.Checkout.Session) => void;
  /** The payment methods that the account has activated. */
  activeTypes: readonly string[];
}): StripeAccount {
  const sessions = new Map<string, Stripe.Checkout.Session>();
  const intents = new Map<string, Stripe.PaymentIntent>();
  const charges = new Map<string, Stripe.Charge>();
  const refunds = new Map<string, Stripe.Refund>();
  /** How the money of a session is taken, which the session does not show. */
  const asked = new Map<string, { captureMethod: string; description: string; metadata: Record<string, string> }>();
  const mode = isLive ? 'live' : 'test';
  const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

  function createSession(params: Params): Stripe.Checkout.Session {
    const amount = Number(needed(params, 'line_items.0.price_data.unit_amount'));
    const types = [needed(params, 'allowed_payment_method_types.0')];
    const captureMethod = params.get('payment_intent_data.capture_method') ?? 'automatic_async';
    const expiresAt = Number(params.get('expires_at') ?? now() + 86_400);
    if (needed(params, 'mode') !== 'payment') throw invalid('mode', 'This account takes payments only.');
    if (needed(params, 'line_items.0.price_data.currency') !== 'usd') throw invalid('currency', 'Only US dollars.');
    if (!(amount >= 50)) throw invalid('line_items', 'The total must be at least $0.50 usd.', 'amount_too_small');
    for (const type of types) {
      if (!activeTypes.includes(type)) throw invalid('allowed_payment_method_types', `${type} is not activated.`);
    }
    if (captureMethod === 'manual' && types.includes('us_bank_account')) {
      throw invalid('payment_intent_data', 'us_bank_account does not support manual capture.');
    }
    if (expiresAt < now() + 1_800 - 5 || expiresAt > now() + 86_400) {
      throw invalid('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.');
    }
    const id = newId(`cs_${mode}`);
    const session = newSession({
      id,
      created: now(),
      expires_at: expiresAt,
      livemode: isLive,
      client_reference_id: params.get('client_reference_id') ?? null,
      amount_total: amount * Number(needed(params, 'line_items.0.quantity')),
      success_url: needed(params, 'success_url'),
      cancel_url: params.get('cancel_url') ?? null,
      locale: params.get('locale') ?? null,
      payment_method_types: types,
      url: `${url}/c/pay/${id}`,
    });
    sessions.set(id, session);
    asked.set(id, {
      captureMethod,
      description: params.get('payment_intent_data.description') ?? '',
      metadata: metadataOf(params, 'payment_intent_data.metadata.'),
    });
    return session;
  }

  function readSession(id: string): Stripe.Checkout.Session {
    const session = sessions.get(id) ?? missing('checkout.session', id);
    if (session.status === 'open' && session.expires_at <= now()) close(session);
    return session;
  }

  function close(session: Stripe.Checkout.Session): void {
    Object.assign(session, { status: 'expired', url: null } satisfies Partial<Stripe.Checkout.Session>);
    const intent = intentOf(session);
    if (intent) Object.assign(intent, { status: 'canceled', cancellation_reason: 'automatic', canceled_at: now() });
    onEvent('checkout.session.expired', session);
  }

  function expireSession(id: string): Stripe.Checkout.Session {
    const session = readSession(id);
    if (session.status !== 'open') {
      throw invalid('session', 'Only Checkout Sessions with a status in ["open"] can be expired.');
    }
    close(session);
    return session;
  }

  function readIntent(id: string): Stripe.PaymentIntent {
    const intent = intents.get(id) ?? missing('payment_intent', id);
    if (intent.status === 'requires_capture' && chargeOf(intent).created + authorizationSeconds <= now()) {
      Object.assign(intent, { status: 'canceled', cancellation_reason: 'automatic', amount_capturable: 0 });
    }
    return intent;
  }

  function intentOf(session: Stripe.Checkout.Session): Stripe.PaymentIntent | undefined {
    return typeof session.payment_intent === 'string' ? intents.get(session.payment_intent) : undefined;
  }

  function chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge {
    const { latest_charge: id } = intent;
    const known = typeof id === 'string' ? id : '';
    return charges.get(known) ?? missing('charge', known);
  }

  function changeMetadata(id: string, metadata: Record<string, string>): Stripe.PaymentIntent {
    const intent = readIntent(id);
    intent.metadata = { ...intent.metadata, ...metadata };
    return intent;
  }

  function capture(id: string, amount: number | undefined): Stripe.PaymentIntent {
    const intent = readIntent(id);
    if (intent.status !== 'requires_capture') throw wrongState(intent);
    const taken = amount ?? intent.amount_capturable;
    if (taken > intent.amount_capturable) throw invalid('amount_to_capture', 'Too much.', 'amount_too_large');
    Object.assign(chargeOf(intent), { captured: true, amount_captured: taken });
    Object.assign(intent, { status: 'succeeded', amount_capturable: 0, amount_received: taken });
    return intent;
  }

  function cancel(id: string, reason: string | undefined): Stripe.PaymentIntent {
    const intent = readIntent(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled') throw wrongState(intent);
    Object.assign(intent, {
      status: 'canceled',
      cancellation_reason: reason ?? null,
      canceled_at: now(),
      amount_capturable: 0,
    });
    return intent;
  }

  function refund(intentId: string, amount: number | undefined, metadata: Record<string, string>): Stripe.Refund {
    const intent = readIntent(intentId);
    if (intent.status !== 'succeeded') throw invalid('payment_intent', 'It has no successful charge to refund.');
    const charge = chargeOf(intent);
    const left = charge.amount_captured - charge.amount_refunded;
    if (left === 0) throw invalid('charge', 'It has already been refunded.', 'charge_already_refunded');
    const given = amount ?? left;
    if (given > left) throw invalid('amount', 'Refund amount is greater than unrefunded amount on charge.');
    Object.assign(charge, {
      amount_refunded: charge.amount_refunded + given,
      refunded: given === left,
    });
    const made = newRefund({
      id: newId('re'),
      created: now(),
      amount: given,
      charge: charge.id,
      payment_intent: intentId,
      metadata,
      status: isBank(intent) ? 'pending' : 'succeeded',
    });
    refunds.set(made.id, made);
    return made;
  }

  function pay(sessionId: string, number: string): PageResult {
    const session = readSession(sessionId);
    const given = asked.get(sessionId);
    if (session.status !== 'open' || !given) throw new StripeRefusal(410, { type: 'page', message: 'Expired.' });
    const intent = intentOf(session) ?? createIntent(session, given);
    if (isBank(intent)) {
      Object.assign(intent, { status: 'processing', payment_method: number });
      complete(session, intent);
      return 'paid';
    }
    if (number === stripeTestNumbers.challenged) {
      intent.status = 'requires_action';
      return 'challenge';
    }
    if (number !== stripeTestNumbers.accepted) return decline(intent, 'card_declined');
    authorize(session, intent, '4242');
    return 'paid';
  }

  function createIntent(
    session: Stripe.Checkout.Session,
    given: { captureMethod: string; description: string; metadata: Record<string, string> },
  ): Stripe.PaymentIntent {
    const intent = newIntent({
      id: newId('pi'),
      created: now(),
      livemode: isLive,
      amount: session.amount_total ?? 0,
      capture_method: given.captureMethod,
      description: given.description,
      metadata: given.metadata,
      payment_method_types: session.payment_method_types,
    });
    intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    return intent;
  }

  function decline(intent: Stripe.PaymentIntent, code: string): PageResult {
    const lastError = { type: 'card_error', code, message: 'Not paid.' };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: lastError });
    return 'declined';
  }

  function authorize(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent, last4: string): void {
    const card = { last4 } as Stripe.Charge.PaymentMethodDetails.Card;
    addCharge(intent, { type: 'card', card }, false);
    const held = { status: 'requires_capture', amount_capturable: intent.amount, last_payment_error: null };
    Object.assign(intent, held);
    complete(session, intent);
  }

  function addCharge(
    intent: Stripe.PaymentIntent,
    details: Stripe.Charge.PaymentMethodDetails,
    isCaptured: boolean,
  ): void {
    const charge = newCharge({
      id: newId('ch'),
      created: now(),
      livemode: isLive,
      amount: intent.amount,
      payment_intent: intent.id,
      payment_method_details: details,
      captured: isCaptured,
    });
    charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
  }

  function complete(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent): void {
    Object.assign(session, { status: 'complete', url: null, payment_intent: intent.id });
    onEvent('checkout.session.completed', session);
  }

  function confirm(sessionId: string, isPassed: boolean): PageResult {
    const session = readSession(sessionId);
    const intent = intentOf(session);
    if (session.status !== 'open' || intent?.status !== 'requires_action') {
      throw new StripeRefusal(410, { type: 'page', message: 'Expired.' });
    }
    if (!isPassed) return decline(intent, 'payment_intent_authentication_failure');
    authorize(session, intent, stripeTestNumbers.challenged.slice(-4));
    return 'paid';
  }

  function answerBank(sessionId: string): void {
    const session = readSession(sessionId);
    const intent = intentOf(session);
    if (intent?.status !== 'processing') return;
    if (intent.payment_method === stripeTestNumbers.failingBankAccount) {
      decline(intent, 'payment_method_provider_decline');
      onEvent('checkout.session.async_payment_failed', session);
      return;
    }
    const account = { last4: '6789' } as Stripe.Charge.PaymentMethodDetails.UsBankAccount;
    addCharge(intent, { type: 'us_bank_account', us_bank_account: account }, true);
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    session.payment_status = 'paid';
    onEvent('checkout.session.async_payment_succeeded', session);
  }

  return {
    sessions,
    intents,
    charges,
    refunds,
    createSession,
    readSession,
    listSessions: (since) => Array.from(sessions.keys(), readSession).filter(({ created }) => created >= since),
    expireSession,
    readIntent,
    changeMetadata,
    capture,
    cancel,
    refund,
    listRefunds: (intentId) => [...refunds.values()].filter((made) => made.payment_intent === intentId),
    pay,
    confirm,
    answerBank,
  };
}

/** The metadata among the parameters of a request. */
export function metadataOf(params: Params, prefix: string): Record<string, string> {
  const own = [...params].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** A required parameter. */
export function needed(params: Params, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw invalid(name, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

/** A request with a wrong parameter. */
export function invalid(param: string, message: string, code?: string): StripeRefusal {
  const type = 'invalid_request_error';
  return new StripeRefusal(400, { type, message, param, ...(code !== undefined && { code }) });
}

function isBank({ payment_method_types: types }: Stripe.PaymentIntent): boolean {
  return types.includes('us_bank_account');
}

function missing(what: string, id: string): never {
  const message = `No such ${what}: '${id}'`;
  throw new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message, param: 'id' });
}

function wrongState({ status }: Stripe.PaymentIntent): StripeRefusal {
  return invalid('intent', `It has a status of ${status}.`, 'payment_intent_unexpected_state');
}
