import { z } from 'zod';
import type { Mode } from '../../contract/index.js';
import type { PayingMethod } from '../ports/payment-processor.js';
import { isLoopbackHost, origin } from './environment-values.js';

/** Whether a text is a secret or restricted key of Stripe for a mode. */
export function isStripeKey(text: string, mode: Mode): boolean {
  return new RegExp(`^[sr]k_${mode}_[A-Za-z0-9_]{1,250}$`).test(text);
}

// A live key in the variable of test mode would charge real cards for applications that are not
// filed. A test key in the other one would take no money for those that are filed.
const keyOf = (mode: Mode) =>
  z.string().refine((text) => isStripeKey(text, mode), `a key that starts with sk_${mode}_ or rk_${mode}_`);

const webhookSecret = z.string().regex(/^whsec_[A-Za-z0-9+/=_-]{1,250}$/, 'a signing secret that starts with whsec_');

const methodNames = { card: 'card', bank_account: 'bankAccount' } as const satisfies Record<string, PayingMethod>;

const methods = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(['card', 'bank_account'], 'card, bank_account or card,bank_account')).max(2))
  .transform((names): PayingMethod[] => [...new Set(names)].map((name) => methodNames[name]));

/** The account at Stripe. */
export const stripeVariables = {
  BRIDGE_PAYMENT: {
    default: undefined,
    schema: z.literal('stripe', 'stripe'),
    doc: 'The built-in payment processor: `stripe`, see [Stripe](stripe.md). By default there is none for live mode, and test mode takes test cards.',
  },
  BRIDGE_STRIPE_SECRET_KEY: {
    default: undefined,
    schema: keyOf('live'),
    doc: 'The key of Stripe for live mode, secret or [restricted](stripe.md#keys). Or BRIDGE_STRIPE_SECRET_KEY_FILE: see [Keys](keys.md#keys-in-files). Without it, live mode has no payment processor.',
  },
  BRIDGE_STRIPE_WEBHOOK_SECRET: {
    default: undefined,
    schema: webhookSecret,
    doc: 'The signing secret of the [webhook endpoint](stripe.md#webhook-endpoint) of live mode. Or BRIDGE_STRIPE_WEBHOOK_SECRET_FILE. Without it, notifications of Stripe are ignored, and the bridge polls.',
  },
  BRIDGE_STRIPE_TEST_SECRET_KEY: {
    default: undefined,
    schema: keyOf('test'),
    doc: "The key of Stripe's test mode. Or BRIDGE_STRIPE_TEST_SECRET_KEY_FILE. Without it, test mode takes the test cards of the bridge.",
  },
  BRIDGE_STRIPE_TEST_WEBHOOK_SECRET: {
    default: undefined,
    schema: webhookSecret,
    doc: 'As BRIDGE_STRIPE_WEBHOOK_SECRET, of test mode. Or BRIDGE_STRIPE_TEST_WEBHOOK_SECRET_FILE.',
  },
  BRIDGE_STRIPE_METHODS: {
    default: 'card',
    schema: methods,
    doc: 'How users pay at Stripe: `card`, `bank_account`, or both separated by a comma. The account at Stripe must have them activated.',
  },
  // Only on this machine: at any other address the keys would be given away. A person who can set
  // this variable for a process can read its keys as well.
  BRIDGE_STRIPE_API_URL: {
    default: undefined,
    schema: origin.refine((url) => isLoopbackHost(new URL(url).hostname), 'an address on a loopback host'),
    doc: "The URL of a substitute for Stripe's API on a loopback host, for tests. By default Stripe.",
  },
} as const;

/** The problems of variables that are right by themselves: one line each. */
export function findStripeProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isSet = (name: keyof typeof stripeVariables) => values[name] !== undefined;
  if (!isSet('BRIDGE_PAYMENT')) return [];
  if (isSet('BRIDGE_STRIPE_SECRET_KEY') || isSet('BRIDGE_STRIPE_TEST_SECRET_KEY')) return [];
  return [
    'BRIDGE_STRIPE_SECRET_KEY: required with BRIDGE_PAYMENT, or BRIDGE_STRIPE_TEST_SECRET_KEY for test mode only',
  ];
}
