import { testCards } from '../../../../contract/index.js';
import { feesOf } from '../../../domain/payments/payment.js';
import { fieldGroup, groupedField, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import type { PaymentRow } from '../../../store/applications/payment-store.js';
import { type Page, stepForm } from '../../layout.js';
import { dollars, stateName, type PageContext } from '../../page-context.js';

/**
 * Asks for a card. Only the name on it is shown again beside an error; the numbers are typed anew. They have no `cc-number` and the like: a
 * field that names what it is comes back with the Back button, whatever its form says.
 */
export function paymentPage(
  pageContext: PageContext,
  back: string,
  nameOnCard = '',
  errors: readonly FieldError[] = [],
): Page {
  const { texts, language, session } = pageContext;
  const words = texts.payment;
  const total = dollars(feesOf(session.application).totalCents, language);
  return {
    title: words.title,
    errors,
    back,
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead(total)}</p>
      ${feeTable(pageContext)} ${pageContext.isTest && testCardList(pageContext)}
      ${stepForm(pageContext, {
        action: pageContext.path('payment'),
        submit: words.pay(total),
        working: words.paying,
        isSecret: true,
        content: cardFields(pageContext, nameOnCard, errors),
      })}`,
  };
}

/** The fees are paid. */
export function paidPage(pageContext: PageContext, back: string, next: string, payment: PaymentRow): Page {
  const { texts, language } = pageContext;
  return {
    title: texts.payment.paidTitle,
    back,
    content: html`<p class="lead">${texts.payment.paid(dollars(payment.amount_cents, language), payment.card_last4)}</p>
      ${feeTable(pageContext)}
      <p class="buttons"><a class="button" href="${next}">${texts.layout.continue}</a></p>`,
  };
}

/** A charge is under way whose answer is not known yet. */
export function pendingPaymentPage(pageContext: PageContext): Page {
  const words = pageContext.texts.payment;
  return {
    title: words.pendingTitle,
    refreshSeconds: 3,
    content: html`<p class="lead">${words.pending}</p>
      <p class="buttons"><a class="button quiet" href="${pageContext.path('payment')}">${words.lookAgain}</a></p>`,
  };
}

/** Nobody takes payments here, or none any more: `why` says which. */
export function noPaymentPage(pageContext: PageContext, back: string, why: 'stopped' | 'unavailable'): Page {
  const { texts } = pageContext;
  return {
    title: texts.payment[`${why}Title`],
    back,
    content: html`<p class="lead">${texts.payment[why]}</p>
      ${feeTable(pageContext)}
      <p class="buttons"><a class="button" href="${pageContext.path('leave')}">${texts.layout.leave}</a></p>`,
  };
}

function feeTable({ texts, language, session }: PageContext): Html {
  const words = texts.payment;
  const { lines, totalCents } = feesOf(session.application);
  const money = (cents: number) => dollars(cents, language);
  return html`<table class="fees">
    <caption>
      ${words.fees}
    </caption>
    <thead>
      <tr>
        <th scope="col">${words.state}</th>
        <th scope="col">${words.stateFee}</th>
        <th scope="col">${words.processingFee}</th>
        <th scope="col">${words.sum}</th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(
        (line) =>
          html`<tr>
            <th scope="row">${stateName(line.state, language)}</th>
            <td>${money(line.stateFeeCents)}</td>
            <td>${money(line.processingFeeCents)}</td>
            <td>${money(line.stateFeeCents + line.processingFeeCents)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row" colspan="3">${words.total}</th>
        <td>${money(totalCents)}</td>
      </tr>
    </tfoot>
  </table>`;
}

function testCardList({ texts }: PageContext): Html {
  return html`<details class="inset">
    <summary>${texts.payment.testCards}</summary>
    <ul class="list">
      ${testCards.map(({ number, what }) => html`<li><code>${number}</code> <span lang="en">${what}</span></li>`)}
    </ul>
  </details>`;
}

function cardFields({ texts }: PageContext, nameOnCard: string, errors: readonly FieldError[]): Html {
  const words = texts.payment;
  const fields = { texts, errors };
  const isExpiryWrong = errors.some(({ field }) => field === 'expiryMonth');
  return html`
    ${textField(fields, { name: 'nameOnCard', label: words.nameOnCard, value: nameOnCard, autocomplete: 'cc-name' })}
    ${textField(fields, { name: 'cardNumber', label: words.cardNumber, width: 'medium', inputmode: 'numeric', maxlength: 24 })}
    ${fieldGroup(fields, {
      legend: words.expiry,
      hint: words.expiryHint,
      errorField: 'expiryMonth',
      fields: [
        groupedField({ name: 'expiryMonth', label: words.month, maxlength: 2 }, isExpiryWrong),
        groupedField({ name: 'expiryYear', label: words.year }, isExpiryWrong),
      ],
    })}
    ${textField(fields, { name: 'securityCode', label: words.securityCode, hint: words.securityCodeHint, width: 'tiny', inputmode: 'numeric', maxlength: 4 })}
  `;
}
