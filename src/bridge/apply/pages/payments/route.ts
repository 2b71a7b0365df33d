import { firstIncompleteStep } from '../../../domain/applications/submission.js';
import {
  cancelAtProcessor,
  findPaymentReturn,
  payFees,
  type PaymentResult,
  readPayment,
  returnFromProcessor,
} from '../../../domain/payments/payment.js';
import { paymentForm } from '../../../domain/payments/committing-forms.js';
import { commitShown, shownToken } from '../../../domain/shown/shown.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyApp, type ApplyRequest, type ApplyServices, readDisplay } from '../../page-context.js';
import { refreshPage, requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { nothingTyped, type TypedPayment } from './method-fields.js';
import { allowFieldsOf, declinedError, parsePaying, typedOf } from './paying.js';
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
    const { texts, session } = pageContext;
    const about = { texts, mode: session.application.mode, address: c.env.address };
    const { value: paying, errors } = parsePaying(context, about, form);
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

  // A link of the processor's page, so it is a GET. It can only end the payment of its token.
  app.get('/p/:paymentId/:token/cancel', (c) => comeBack(c, c.req.param(), cancelAtProcessor));

  async function comeBack(
    c: ApplyRequest,
    { paymentId, token }: { paymentId: string; token: string },
    settle: (context: ApplyServices['context'], paymentId: string) => Promise<void>,
  ) {
    const found = await findPaymentReturn(context, paymentId, token);
    if (!found) return c.notFound();
    await settle(context, paymentId);
    return c.redirect(`${new URL(found.pageUrl).pathname}${readDisplay(c).query}`, 303);
  }

  function showAsking(
    c: ApplyRequest,
    errors: readonly FieldError[],
    { typed = nothingTyped, shown }: { typed?: TypedPayment; shown?: string } = {},
  ) {
    const pageContext = c.get('pageContext');
    const processor = context.processorFor(pageContext.session.application.mode);
    if (!processor) return showStep(c, 'payment', noPaymentPage(pageContext, 'unavailable'));
    allowFieldsOf(processor, c);
    const token = shown ?? shownToken(context, paymentForm, pageContext.session);
    return showStep(c, 'payment', paymentPage(pageContext, processor, { shown: token, typed, errors }));
  }

  function showResult(c: ApplyRequest, result: PaymentResult, typed: TypedPayment = nothingTyped) {
    const pageContext = c.get('pageContext');
    switch (result.status) {
      case 'declined':
        if (result.reason === 'too_many_declines') return showStep(c, 'payment', noPaymentPage(pageContext, 'stopped'));
        return showAsking(c, [declinedError(pageContext.texts, { reason: result.reason, method: result.method })], {
          typed,
        });
      case 'pending':
        return showStep(
          c,
          'payment',
          pendingPaymentPage(pageContext, result.method, {
            bankLead: pageContext.texts.payment.pendingBank,
            href: pageContext.path('payment'),
          }),
        );
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
