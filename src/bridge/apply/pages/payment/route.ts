import type { DeclineReason } from '../../../domain/payments/card-processor.js';
import { payFees, readPayment } from '../../../domain/payments/payment.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { parseCard } from './form.js';
import { noPaymentPage, paidPage, paymentPage, pendingPaymentPage } from './view.js';

/** Step 5: the fees, unless the partner pays them. */
export function addPaymentRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context, processor } = room;

  app.get('/s/:token/payment', requireStep(room, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const back = pageContext.path('disclosures');
    const payment = await readPayment(context, processor, pageContext.token, pageContext.session);
    if (payment?.status === 'accepted')
      return showStep(c, 'payment', paidPage(pageContext, back, pageContext.path('review'), payment));
    if (payment) return showStep(c, 'payment', pendingPaymentPage(pageContext));
    const isServed = processor.serves(pageContext.session.application.mode);
    return showStep(
      c,
      'payment',
      isServed ? paymentPage(pageContext, back) : noPaymentPage(pageContext, back, 'unavailable'),
    );
  });

  app.post('/s/:token/payment', requireStep(room, 'payment'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const nameOnCard = form.text('nameOnCard').slice(0, 200);
    const { value: card, errors } = parseCard(form, pageContext.texts, context.clock());
    if (!card) return showCardErrors(c, nameOnCard, errors);
    const result = await payFees(context, processor, pageContext.token, card);
    if (result?.status === 'declined') {
      const { reason } = result;
      if (reason !== 'too_many_declines') return showCardErrors(c, nameOnCard, [declined(c, reason)]);
      return showStep(c, 'payment', noPaymentPage(pageContext, pageContext.path('disclosures'), 'stopped'));
    }
    if (result?.status === 'accepted') return redirectToNextStep(c, 'payment');
    return result ? c.redirect(pageContext.path('payment'), 303) : redirectToOpenStep(c);
  });
}

function showCardErrors(c: ApplyRequest, nameOnCard: string, errors: readonly FieldError[]) {
  const pageContext = c.get('pageContext');
  return showStep(c, 'payment', paymentPage(pageContext, pageContext.path('disclosures'), nameOnCard, errors));
}

function declined(c: ApplyRequest, reason: DeclineReason): FieldError {
  const words = c.get('pageContext').texts.errors;
  const messages = { card_declined: words.cardDeclined, test_cards_only: words.testCardsOnly };
  return { field: 'cardNumber', message: messages[reason] };
}
