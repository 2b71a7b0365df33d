import type Stripe from 'stripe';
import { invalid, metadataOf, needed, type Params, StripeRefusal, type StripeAccount } from './account.js';

/** A permission of a restricted key, as Stripe's errors name it. */
export type Permission =
  | 'checkout_session_write'
  | 'checkout_session_read'
  | 'payment_intent_write'
  | 'payment_intent_read'
  | 'charge_write'
  | 'charge_read';

interface Route {
  request: RegExp;
  permission: Permission;
  /** The parameters that Stripe knows and the bridge uses. Any other one is refused. */
  known: readonly RegExp[];
  run(account: StripeAccount, params: Params, id: string): object;
}

const expand = /^expand\.\d+$/;
const metadata = /^metadata\.\w+$/;

const routes: readonly Route[] = [
  {
    request: /^POST \/v1\/checkout\/sessions$/,
    permission: 'checkout_session_write',
    known: [
      /^(mode|client_reference_id|success_url|cancel_url|locale|expires_at)$/,
      /^line_items\.0\.(quantity|price_data\.(currency|unit_amount|product_data\.name))$/,
      /^allowed_payment_method_types\.\d+$/,
      /^payment_intent_data\.(description|capture_method|metadata\.\w+)$/,
      /^adaptive_pricing\.enabled$/,
    ],
    run: (account, params) => account.createSession(params),
  },
  {
    request: /^GET \/v1\/checkout\/sessions$/,
    permission: 'checkout_session_read',
    known: [expand, /^(limit|starting_after|created\.gte)$/],
    run(account, params) {
      const newestFirst = account.listSessions(Number(params.get('created.gte') ?? 0)).reverse();
      return listOf(newestFirst, params, (session) => expanded(account, session, 'data.payment_intent', params));
    },
  },
  {
    request: /^GET \/v1\/checkout\/sessions\/(\w+)$/,
    permission: 'checkout_session_read',
    known: [expand],
    run: (account, params, id) => expanded(account, account.readSession(id), 'payment_intent', params),
  },
  {
    request: /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
    permission: 'checkout_session_write',
    known: [],
    run: (account, _params, id) => account.expireSession(id),
  },
  {
    request: /^GET \/v1\/payment_intents\/(\w+)$/,
    permission: 'payment_intent_read',
    known: [expand],
    run: (account, params, id) => withCharge(account, account.readIntent(id), isExpanded(params, 'latest_charge')),
  },
  {
    request: /^POST \/v1\/payment_intents\/(\w+)$/,
    permission: 'payment_intent_write',
    known: [metadata],
    run: (account, params, id) => account.changeMetadata(id, metadataOf(params, 'metadata.')),
  },
  {
    request: /^POST \/v1\/payment_intents\/(\w+)\/capture$/,
    permission: 'payment_intent_write',
    known: [/^amount_to_capture$/],
    run: (account, params, id) => account.capture(id, numberOf(params, 'amount_to_capture')),
  },
  {
    request: /^POST \/v1\/payment_intents\/(\w+)\/cancel$/,
    permission: 'payment_intent_write',
    known: [/^cancellation_reason$/],
    run: (account, params, id) => account.cancel(id, params.get('cancellation_reason')),
  },
  {
    request: /^POST \/v1\/refunds$/,
    permission: 'charge_write',
    known: [/^(payment_intent|amount)$/, metadata],
    run: (account, params) =>
      account.refund(needed(params, 'payment_intent'), numberOf(params, 'amount'), metadataOf(params, 'metadata.')),
  },
  {
    request: /^GET \/v1\/refunds$/,
    permission: 'charge_read',
    known: [/^(payment_intent|limit|starting_after)$/],
    run: (account, params) => listOf(account.listRefunds(needed(params, 'payment_intent')), params, (made) => made),
  },
];

/** Finds the route of a request, whose `run` refuses unknown parameters. */
export function findRoute(
  method: string,
  path: string,
): { permission: Permission; run: (account: StripeAccount, params: Params) => object } {
  for (const { request, permission, known, run } of routes) {
    const match = request.exec(`${method} ${path}`);
    if (!match) continue;
    return {
      permission,
      run(account, params) {
        for (const name of params.keys()) {
          if (!known.some((pattern) => pattern.test(name))) {
            throw invalid(name, `Received unknown parameter: ${name}`, 'parameter_unknown');
          }
        }
        return run(account, params, match[1] ?? '');
      },
    };
  }
  const message = `Unrecognized request URL (${method}: ${path}).`;
  throw new StripeRefusal(404, { type: 'invalid_request_error', message });
}

function numberOf(params: Params, name: string): number | undefined {
  const text = params.get(name);
  return text === undefined ? undefined : Number(text);
}

function isExpanded(params: Params, name: string): boolean {
  return [...params].some(([key, value]) => expand.test(key) && value.startsWith(name));
}

function expanded(
  account: StripeAccount,
  session: Stripe.Checkout.Session,
  name: string,
  params: Params,
): Stripe.Checkout.Session {
  if (typeof session.payment_intent !== 'string' || !isExpanded(params, name)) return session;
  const intent = account.readIntent(session.payment_intent);
  return { ...session, payment_intent: withCharge(account, intent, isExpanded(params, `${name}.latest_charge`)) };
}

function withCharge(account: StripeAccount, intent: Stripe.PaymentIntent, isWanted: boolean): Stripe.PaymentIntent {
  const charge = typeof intent.latest_charge === 'string' ? account.charges.get(intent.latest_charge) : undefined;
  return isWanted && charge ? { ...intent, latest_charge: charge } : intent;
}

function listOf<Item extends { id: string }>(items: Item[], params: Params, show: (item: Item) => Item): object {
  const after = params.get('starting_after');
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(params.get('limit') ?? 10);
  const data = items.slice(start, end).map(show);
  return { object: 'list', url: '/v1', has_more: end < items.length, data };
}
