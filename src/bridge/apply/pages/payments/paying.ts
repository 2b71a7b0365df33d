import type { Mode } from '../../../../contract/index.js';
import type { BridgeContext } from '../../../domain/context.js';
import type { Paying } from '../../../domain/payments/authorize.js';
import type { FieldError, Parsed, PostedForm } from '../../../pages/forms.js';
import type { DeclineReason, PayingMethod, PaymentProcessor } from '../../../ports/payment-processor.js';
import type { ApplyRequest } from '../../page-context.js';
import type { Texts } from '../../texts/index.js';
import { parseBankAccount, parseCard } from './form.js';
import { methodsOf, type TypedPayment } from './method-fields.js';

/** Reads how the user pays, from the fields of the processor of a mode. */
export function parsePaying(
  context: Pick<BridgeContext, 'processorFor' | 'clock'>,
  { texts, mode, address }: { texts: Texts; mode: Mode; address: string },
  form: PostedForm,
): Parsed<Paying> {
  const processor = context.processorFor(mode);
  const method = methodsOf(processor).find((each) => each === form.text('method')) ?? 'card';
  const { value, errors } = parseSource(processor, form, { texts, method, now: context.clock() });
  return value ? { value: { ...value, shown: form.shown, address } } : { errors };
}

type Source = Pick<Paying, 'method' | 'source'>;

function parseSource(
  processor: PaymentProcessor | undefined,
  form: PostedForm,
  typed: { texts: Texts; method: PayingMethod; now: Date },
): Parsed<Source> {
  const { method, texts } = typed;
  if (processor?.cardEntry === 'typed') return parseTyped(form, typed);
  if (processor?.cardEntry !== 'fields') return { value: { method, source: { kind: 'page' } } };
  const token = form.text('paymentToken');
  // Tokens of processors are short and on one line; anything else is invalid.
  if (/^[\x21-\x7e]{1,500}$/.test(token)) return { value: { method, source: { kind: 'fields', token } } };
  return { errors: [{ field: 'payment-fields', message: texts.errors.paymentFields }] };
}

function parseTyped(
  form: PostedForm,
  { texts, method, now }: { texts: Texts; method: PayingMethod; now: Date },
): Parsed<Source> {
  if (method === 'bankAccount') {
    const { value: bankAccount, errors } = parseBankAccount(form, texts);
    return bankAccount ? { value: { method, source: { kind: 'typed', bankAccount } } } : { errors };
  }
  const { value: card, errors } = parseCard(form, texts, now);
  return card ? { value: { method, source: { kind: 'typed', card } } } : { errors };
}

/** The input that may be shown again with an error: never a number. */
export function typedOf(form: PostedForm): TypedPayment {
  const name = (field: string) => form.text(field).slice(0, 200);
  return {
    method: form.text('method') === 'bankAccount' ? 'bankAccount' : 'card',
    nameOnCard: name('nameOnCard'),
    nameOnAccount: name('nameOnAccount'),
  };
}

/** The error of a declined payment, at the input of its method. */
export function declinedError(
  { errors: words }: Texts,
  { reason, method }: { reason: DeclineReason; method: PayingMethod },
): FieldError {
  const messages = {
    card_declined: words.cardDeclined,
    account_declined: words.accountDeclined,
    authentication_failed: words.authenticationFailed,
    test_cards_only: words.testCardsOnly,
    canceled: words.paymentCanceled,
  };
  if (method === 'card') return { field: 'cardNumber', message: messages[reason] };
  // A bank may decline days later, when there is no input.
  return { field: reason === 'test_cards_only' ? 'routingNumber' : 'method-bankAccount', message: messages[reason] };
}

/** Lets the page load the script of a processor that renders the fields itself. */
export function allowFieldsOf({ fields }: PaymentProcessor, c: ApplyRequest): void {
  if (fields) c.set('scriptOrigins', [...new Set([new URL(fields.scriptUrl).origin, ...fields.origins])]);
}
