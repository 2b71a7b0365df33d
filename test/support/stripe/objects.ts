import type Stripe from 'stripe';

/** A Checkout Session as Stripe returns it when it is new. */
export function newSession(
  given: Pick<
    Stripe.Checkout.Session,
    | 'id'
    | 'created'
    | 'expires_at'
    | 'livemode'
    | 'client_reference_id'
    | 'amount_total'
    | 'success_url'
    | 'cancel_url'
    | 'locale'
    | 'payment_method_types'
    | 'url'
  >,
): Stripe.Checkout.Session {
  return {
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allowed_payment_method_types: given.payment_method_types,
    allow_promotion_codes: null,
    amount_subtotal: given.amount_total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: null,
    customer_email: null,
    discounts: [],
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    managed_payments: null,
    metadata: {},
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    total_details: null,
    ui_mode: 'hosted_page',
    wallet_options: null,
    ...given,
  };
}

/** A PaymentIntent as Stripe returns it before it is confirmed. */
export function newIntent(
  given: Pick<
    Stripe.PaymentIntent,
    'id' | 'created' | 'livemode' | 'amount' | 'capture_method' | 'description' | 'metadata' | 'payment_method_types'
  >,
): Stripe.PaymentIntent {
  return {
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: null,
    confirmation_method: 'automatic',
    currency: 'usd',
    customer: null,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...given,
  };
}

/** A charge as Stripe returns it when the bank has authorized or paid it. */
export function newCharge(
  given: Pick<
    Stripe.Charge,
    'id' | 'created' | 'livemode' | 'amount' | 'payment_intent' | 'payment_method_details' | 'captured'
  >,
): Stripe.Charge {
  return {
    object: 'charge',
    amount_captured: given.captured ? given.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    currency: 'usd',
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: null,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_method: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
    ...given,
  };
}

/** A refund as Stripe returns it. */
export function newRefund(
  given: Pick<Stripe.Refund, 'id' | 'created' | 'amount' | 'charge' | 'payment_intent' | 'metadata' | 'status'>,
): Stripe.Refund {
  return {
    object: 'refund',
    balance_transaction: null,
    currency: 'usd',
    customer: null,
    customer_account: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
    ...given,
  };
}
