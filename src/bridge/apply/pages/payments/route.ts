import { firstIncompleteStep } from '../../../domain/applications/submission.js';
import {
  cancelAtProcessor,
  findPaymentReturn,
  payFees,
  type Paying,
  type PaymentResult,
  readPayment,
  returnFromProcessor,
} from '../../../domain/payments/payment.js';
import { paymentForm } from '../../../domain/payments/committing-forms.js';
import { commitShown, shownToken } from '../../../domain/shown/shown.js';
import type { FieldError, Parsed, PostedForm } from '../../../pages/forms.js';
import type { DeclineReason, PayingMethod } from '../../../ports/payment-processor.js';
import { postedForm } from '../../form-guard.js';
import {
  type ApplyApp,
  type ApplyRequest,
  type ApplyServices,
  type PageContext,
  readDisplay,
} from '../../page-context.js';
import { refreshPage, requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { parseBankAccount, parseCard } from './form.js';
import { methodsOf, nothingTyped, type TypedPayment } from './method-fields.js';
import { noPaymentPage, paymentPage, pendingPaymentPage, processorPage } from './view.js';

/**
 * The last step: payment of the fees, unless the partner pays them. The payment submits the
 * application.
 */
export function addPaymentRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/payment', requireStep(services, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const result = await readPayment(context, pageContext.token, pageContext.session);
    if (result && result.status !== 'declined') return showResult(c, result);
    // A question was reworded or an answer changed since the signature.
    if (firstIncompleteStep(pageContext.session, 'payment')) return redirectToOpenStep(c);
    return result ? showResult(c, result) : showAsking(c, []);
  });

  app.post('/s/:token/payment', requireStep(services, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const { value: paying, errors } = parsePaying(c, form);
    const typed = typedOf(form);
    // Still the token of the page that the user has read, until a message says what has changed.
    if (!paying) return showAsking(c, errors, { typed, shown: form.shown });
    return commitShown(
      async () => {
        const result = await payFees(context, pageContext.token, paying, pageContext.language);
        if (!result) return redirectToOpenStep(c);
        // A separate URL, because the reload of a polling page must not post again.
        const isShownByGet = result.status === 'pending' || result.status === 'redirect';
        if (isShownByGet) return c.redirect(pageContext.path('payment'), 303);
        return showResult(c, result, typed);
      },
      async () => {
        const current = await refreshPage(services, c);
        if (!current || firstIncompleteStep(current.session, 'payment')) return redirectToOpenStep(c);
        return showAsking(c, [{ field: 'main', message: current.texts.errors.changedPayment }], { typed });
      },
    );
  });

  app.get('/p/:paymentId/:token', (c) => comeBack(c, c.req.param(), returnFromProcessor));

  // A link of the processor's page, so it is a GET. It can only end a payment of its own token.
  app.get('/p/:paymentId/:token/cancel', (c) => comeBack(c, c.req.param(), cancelAtProcessor));

  async function comeBack(
    c: ApplyRequest,
    { paymentId, token }: { paymentId: string; token: string },
    settle: (context: ApplyServices['context'], paymentId: string) => Promise<void>,
  ) {
    const found = await findPaymentReturn(context, paymentId, token);
    if (!found) return c.notFound();
    await settle(context, paymentId);
    const { pathname } = new URL(found.applicationUrl);
    return c.redirect(`${pathname}/payment${readDisplay(c).query}`, 303);
  }

  function parsePaying(c: ApplyRequest, form: PostedForm): Parsed<Paying> {
    const { value, errors } = parseSource(c, form);
    return value ? { value: { ...value, shown: form.shown, address: c.env.address } } : { errors };
  }

  function parseSource(c: ApplyRequest, form: PostedForm): Parsed<Omit<Paying, 'shown' | 'address'>> {
    const pageContext = c.get('pageContext');
    const processor = context.processorFor(pageContext.session.application.mode);
    const method = methodsOf(processor).find((each) => each === form.text('method')) ?? 'card';
    if (processor?.cardEntry === 'typed') return parseTyped(pageContext, form, method);
    if (processor?.cardEntry !== 'fields') return { value: { method, source: { kind: 'page' } } };
    const token = form.text('paymentToken');
    // Tokens of processors are short and on one line; anything else is invalid.
    if (/^[\x21-\x7e]{1,500}$/.test(token)) return { value: { method, source: { kind: 'fields', token } } };
    return { errors: [{ field: 'payment-fields', message: pageContext.texts.errors.paymentFields }] };
  }

  function parseTyped(
    { texts }: PageContext,
    form: PostedForm,
    method: PayingMethod,
  ): Parsed<Omit<Paying, 'shown' | 'address'>> {
    if (method === 'bankAccount') {
      const { value: bankAccount, errors } = parseBankAccount(form, texts);
      return bankAccount ? { value: { method, source: { kind: 'typed', bankAccount } } } : { errors };
    }
    const { value: card, errors } = parseCard(form, texts, context.clock());
    return card ? { value: { method, source: { kind: 'typed', card } } } : { errors };
  }

  function showAsking(
    c: ApplyRequest,
    errors: readonly FieldError[],
    { typed = nothingTyped, shown }: { typed?: TypedPayment; shown?: string } = {},
  ) {
    const pageContext = c.get('pageContext');
    const processor = context.processorFor(pageContext.session.application.mode);
    if (!processor) return showStep(c, 'payment', noPaymentPage(pageContext, 'unavailable'));
    if (processor.fields) {
      c.set('scriptOrigins', [...new Set([new URL(processor.fields.scriptUrl).origin, ...processor.fields.origins])]);
    }
    const token = shown ?? shownToken(context, paymentForm, pageContext.session);
    return showStep(c, 'payment', paymentPage(pageContext, processor, { shown: token, typed, errors }));
  }

  function showResult(c: ApplyRequest, result: PaymentResult, typed: TypedPayment = nothingTyped) {
    const pageContext = c.get('pageContext');
    switch (result.status) {
      case 'declined':
        if (result.reason === 'too_many_declines') return showStep(c, 'payment', noPaymentPage(pageContext, 'stopped'));
        return showAsking(c, [declined(c, result.reason, result.method)], { typed });
      case 'pending':
        return showStep(c, 'payment', pendingPaymentPage(pageContext, result.method));
      case 'redirect':
        return showStep(c, 'payment', processorPage(pageContext, result.url));
      case 'unavailable':
        return showStep(c, 'payment', noPaymentPage(pageContext, 'unavailable'));
      case 'submitted':
      case 'unsigned':
        return redirectToOpenStep(c);
    }
  }
}

/** The input that may be shown again with an error: never a number. */
function typedOf(form: PostedForm): TypedPayment {
  const name = (field: string) => form.text(field).slice(0, 200);
  return {
    method: form.text('method') === 'bankAccount' ? 'bankAccount' : 'card',
    nameOnCard: name('nameOnCard'),
    nameOnAccount: name('nameOnAccount'),
  };
}

function declined(c: ApplyRequest, reason: DeclineReason, method: PayingMethod): FieldError {
  const words = c.get('pageContext').texts.errors;
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
