import { firstIncompleteStep } from '../../../domain/applications/submission.js';
import {
  findPaymentReturn,
  payFees,
  type PaymentResult,
  readPayment,
  returnFromProcessor,
} from '../../../domain/payments/payment.js';
import type { FieldError, Parsed, PostedForm } from '../../../pages/forms.js';
import type { DeclineReason, PaymentSource } from '../../../ports/payment-processor.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyApp, type ApplyRequest, type ApplyRoom, readDisplay } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { parseCard } from './form.js';
import { noPaymentPage, paymentPage, pendingPaymentPage, processorPage } from './view.js';

/** The last step: the fees, unless the partner pays them. What is paid is submitted. */
export function addPaymentRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/payment', requireStep(room, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const result = await readPayment(context, pageContext.token, pageContext.session);
    if (result) return showResult(c, result);
    // A question was reworded or an answer changed since the signature.
    if (firstIncompleteStep(pageContext.session, 'payment')) return redirectToOpenStep(c);
    return showAsking(c, c.req.query('declined') === undefined ? [] : [declined(c, 'authentication_failed')]);
  });

  app.post('/s/:token/payment', requireStep(room, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const { value: source, errors } = parseSource(c, form);
    if (!source) return showAsking(c, errors, form.text('nameOnCard').slice(0, 200));
    const result = await payFees(context, pageContext.token, source, pageContext.language);
    if (!result) return redirectToOpenStep(c);
    // Shown at its own address: what is looked at again by a reload must not be posted again.
    const isShownByGet = result.status === 'pending' || result.status === 'redirect';
    if (isShownByGet) return c.redirect(pageContext.path('payment'), 303);
    return showResult(c, result, form.text('nameOnCard').slice(0, 200));
  });

  app.get('/p/:paymentId/:token', async (c) => {
    const { paymentId, token } = c.req.param();
    const found = await findPaymentReturn(context, paymentId, token);
    if (!found) return c.notFound();
    const status = await returnFromProcessor(context, paymentId);
    const { query } = readDisplay(c);
    const { pathname } = new URL(found.applicationUrl);
    const said = status === 'declined' ? `${query ? '&' : '?'}declined` : '';
    return c.redirect(`${pathname}/payment${query}${said}`, 303);
  });

  function parseSource(c: ApplyRequest, form: PostedForm): Parsed<PaymentSource> {
    const pageContext = c.get('pageContext');
    const entry = context.processorFor(pageContext.session.application.mode)?.cardEntry;
    if (entry === 'typed') {
      const parsed = parseCard(form, pageContext.texts, context.clock());
      return parsed.value ? { value: { kind: 'typed', card: parsed.value } } : parsed;
    }
    if (entry !== 'fields') return { value: { kind: 'page' } };
    const token = form.text('paymentToken');
    // A token of a processor is short and of one line. What is not, no field of a processor made.
    if (/^[\x21-\x7e]{1,500}$/.test(token)) return { value: { kind: 'fields', token } };
    return { errors: [{ field: 'payment-fields', message: pageContext.texts.errors.paymentFields }] };
  }

  function showAsking(c: ApplyRequest, errors: readonly FieldError[], nameOnCard = '') {
    const pageContext = c.get('pageContext');
    const processor = context.processorFor(pageContext.session.application.mode);
    if (!processor) return showStep(c, 'payment', noPaymentPage(pageContext, 'unavailable'));
    if (processor.fields) {
      c.set('scriptOrigins', [...new Set([new URL(processor.fields.scriptUrl).origin, ...processor.fields.origins])]);
    }
    return showStep(c, 'payment', paymentPage(pageContext, processor, { nameOnCard, errors }));
  }

  function showResult(c: ApplyRequest, result: PaymentResult, nameOnCard = '') {
    const pageContext = c.get('pageContext');
    switch (result.status) {
      case 'declined':
        if (result.reason === 'too_many_declines') return showStep(c, 'payment', noPaymentPage(pageContext, 'stopped'));
        return showAsking(c, [declined(c, result.reason)], nameOnCard);
      case 'pending':
        return showStep(c, 'payment', pendingPaymentPage(pageContext));
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

function declined(c: ApplyRequest, reason: DeclineReason): FieldError {
  const words = c.get('pageContext').texts.errors;
  const messages = {
    card_declined: words.cardDeclined,
    authentication_failed: words.authenticationFailed,
    test_cards_only: words.testCardsOnly,
  };
  return { field: 'cardNumber', message: messages[reason] };
}
