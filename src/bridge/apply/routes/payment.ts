import type { DeclineReason } from '../../domain/apply/payment-processor.js';
import { payFees, readPayment } from '../../domain/apply/payment.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import type { FieldError } from '../forms/form.js';
import { parseCard } from '../forms/payment-form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { paidPage, paymentPage, pendingPaymentPage, noPaymentPage } from '../view/payment-page.js';

/** Step 5: the fees, unless the partner pays them. */
export function addPaymentRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context, processor } = room;

  app.get('/s/:token/payment', enter(room, 'payment'), async (c) => {
    const visit = c.get('visit');
    const back = visit.path('disclosures');
    const payment = await readPayment(context, processor, visit.token, visit.session);
    if (payment?.status === 'accepted')
      return showStep(c, 'payment', paidPage(visit, back, visit.path('review'), payment));
    if (payment) return showStep(c, 'payment', pendingPaymentPage(visit));
    const isServed = processor.serves(visit.session.application.mode);
    return showStep(c, 'payment', isServed ? paymentPage(visit, back) : noPaymentPage(visit, back, 'unavailable'));
  });

  app.post('/s/:token/payment', enter(room, 'payment'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const nameOnCard = form.text('nameOnCard').slice(0, 200);
    const { value: card, errors } = parseCard(form, visit.texts, context.clock());
    if (!card) return showCardErrors(c, nameOnCard, errors);
    const result = await payFees(context, processor, visit.token, card);
    if (result?.status === 'declined') {
      const { reason } = result;
      if (reason !== 'too_many_declines') return showCardErrors(c, nameOnCard, [declined(c, reason)]);
      return showStep(c, 'payment', noPaymentPage(visit, visit.path('disclosures'), 'stopped'));
    }
    if (result?.status === 'accepted') return goOn(c, 'payment');
    return result ? c.redirect(visit.path('payment'), 303) : goWhereItIsOpen(c);
  });
}

function showCardErrors(c: ApplyRequest, nameOnCard: string, errors: readonly FieldError[]) {
  const visit = c.get('visit');
  return showStep(c, 'payment', paymentPage(visit, visit.path('disclosures'), nameOnCard, errors));
}

function declined(c: ApplyRequest, reason: DeclineReason): FieldError {
  const words = c.get('visit').texts.errors;
  const messages = { card_declined: words.cardDeclined, test_cards_only: words.testCardsOnly };
  return { field: 'cardNumber', message: messages[reason] };
}
