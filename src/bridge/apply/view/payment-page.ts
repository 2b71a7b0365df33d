import { testCards } from '../../../contract/index.js';
import { feesOf } from '../../domain/apply/payment.js';
import type { PaymentRow } from '../../store/applications/payment-store.js';
import type { FieldError } from '../forms/form.js';
import { dollars, stateName, type Visit } from '../visit.js';
import { fieldGroup, groupedField, textField } from './fields.js';
import { stepForm } from './form.js';
import { html, type Html } from './html.js';
import type { Page } from './layout.js';

/**
 * Asks for a card. Only the name on it is shown again beside an error; the numbers are typed anew. They have no `cc-number` and the like: a
 * field that names what it is comes back with the Back button, whatever its form says.
 */
export function paymentPage(visit: Visit, back: string, nameOnCard = '', errors: readonly FieldError[] = []): Page {
  const { texts, language, session } = visit;
  const words = texts.payment;
  const total = dollars(feesOf(session.application).totalCents, language);
  return {
    title: words.title,
    errors,
    back,
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead(total)}</p>
      ${feeTable(visit)} ${visit.isTest && testCardList(visit)}
      ${stepForm(visit, {
        action: visit.path('payment'),
        submit: words.pay(total),
        working: words.paying,
        isSecret: true,
        content: cardFields(visit, nameOnCard, errors),
      })}`,
  };
}

/** The fees are paid. */
export function paidPage(visit: Visit, back: string, next: string, payment: PaymentRow): Page {
  const { texts, language } = visit;
  return {
    title: texts.payment.paidTitle,
    back,
    content: html`<p class="lead">${texts.payment.paid(dollars(payment.amount_cents, language), payment.card_last4)}</p>
      ${feeTable(visit)}
      <p class="buttons"><a class="button" href="${next}">${texts.layout.continue}</a></p>`,
  };
}

/** A charge is under way whose answer is not known yet. */
export function pendingPaymentPage(visit: Visit): Page {
  const words = visit.texts.payment;
  return {
    title: words.pendingTitle,
    refreshSeconds: 3,
    content: html`<p class="lead">${words.pending}</p>
      <p class="buttons"><a class="button quiet" href="${visit.path('payment')}">${words.lookAgain}</a></p>`,
  };
}

/** Nobody takes payments here, or none any more: `why` says which. */
export function noPaymentPage(visit: Visit, back: string, why: 'stopped' | 'unavailable'): Page {
  const { texts } = visit;
  return {
    title: texts.payment[`${why}Title`],
    back,
    content: html`<p class="lead">${texts.payment[why]}</p>
      ${feeTable(visit)}
      <p class="buttons"><a class="button" href="${visit.path('leave')}">${texts.layout.leave}</a></p>`,
  };
}

function feeTable({ texts, language, session }: Visit): Html {
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

function testCardList({ texts }: Visit): Html {
  return html`<details class="inset">
    <summary>${texts.payment.testCards}</summary>
    <ul class="list">
      ${testCards.map(({ number, what }) => html`<li><code>${number}</code> <span lang="en">${what}</span></li>`)}
    </ul>
  </details>`;
}

function cardFields({ texts }: Visit, nameOnCard: string, errors: readonly FieldError[]): Html {
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
