import type { RequestedAction } from '../../../domain/applications/action.js';
import { shownInput } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html } from '../../../pages/html.js';
import type { PaymentProcessor } from '../../../ports/payment-processor.js';
import type { Page } from '../../layout.js';
import { stateName } from '../../../catalogue/state-names.js';
import { type AnyPageContext, dollars } from '../../page-context.js';
import type { TypedPayment } from '../payments/method-fields.js';
import { entryFields, testNumbers } from '../payments/view.js';
import { reasonOf } from './view.js';

/** The action of the form, the token of what the page shows, and what was typed. */
export interface FeeForm {
  action: string;
  shown: string;
  typed: TypedPayment;
  errors: readonly FieldError[];
}

/** Asks for the further fee of a request. The amount, its reason and the fields of the method. */
export function feePage(
  pageContext: AnyPageContext,
  action: RequestedAction,
  processor: PaymentProcessor,
  { action: href, shown, typed, errors }: FeeForm,
): Page {
  const { texts, language } = pageContext;
  const { action: words, payment } = texts;
  const amount = dollars(action.state.actionFeeCents ?? 0, language);
  const { cardEntry } = processor;
  return {
    title: words.feeTitle(stateName(action.state.state, language)),
    errors,
    reason: { why: words.feeWhy, who: cardEntry === 'typed' ? payment.who : payment.whoProcessor },
    lead: words.feeLead(amount),
    content: html`<div class="inset">
        <h2>${words.feeReasonTitle}</h2>
        ${reasonOf(action.state.reason, words.feeNoReason)}
      </div>
      ${testNumbers(pageContext, processor)}
      <form method="post" action="${href}" novalidate autocomplete="off" data-working="${payment.paying}">
        ${shownInput(shown)} ${entryFields(pageContext, processor, { typed, errors })}
        <div class="buttons">
          <button class="button" type="submit">
            ${cardEntry === 'page' ? payment.goToProcessor : payment.pay(amount)}
          </button>
        </div>
      </form>`,
  };
}

/** The page of a further fee that cannot be paid now: `why` is the reason. */
export function noFeePage({ texts }: AnyPageContext, why: 'stopped' | 'unavailable'): Page {
  const lead = { stopped: texts.action.feeStopped, unavailable: texts.action.feeUnavailable };
  return { title: texts.payment[`${why}Title`], lead: lead[why], content: html`` };
}
