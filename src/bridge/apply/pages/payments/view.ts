import { testBankAccounts, testCards } from '../../../../contract/index.js';
import { feesOfSession } from '../../../domain/payments/session-fees.js';
import type { FieldError } from '../../../pages/forms.js';
import { shownInput } from '../../../pages/fields.js';
import { html, type Html } from '../../../pages/html.js';
import type { PayingMethod, PaymentProcessor, ProcessorFields } from '../../../ports/payment-processor.js';
import { type Page, stepForm } from '../../layout.js';
import { stateName } from '../../../catalogue/state-names.js';
import { type AnyPageContext, dollars, type PageContext } from '../../page-context.js';
import { feeCells, feeNotes } from './fee-texts.js';
import { methodFields, methodsOf, type TypedPayment } from './method-fields.js';

/**
 * Asks for the payment of a signed application: on the processor's page, in the processor's fields,
 * or, in test mode, by typed cards and bank accounts. With an error only the name is shown again;
 * the numbers must be typed again. The fields have no `autocomplete` such as `cc-number`, because
 * browsers restore such fields with the Back button even when the form forbids it.
 */
export function paymentPage(
  pageContext: PageContext,
  processor: Pick<PaymentProcessor, 'cardEntry' | 'fields' | 'methods'>,
  { shown, typed, errors }: { shown: string; typed: TypedPayment; errors: readonly FieldError[] },
): Page {
  const { cardEntry } = processor;
  const { texts, language, session } = pageContext;
  const words = texts.payment;
  const total = dollars(feesOfSession(session).totalCents, language);
  return {
    title: words.title,
    errors,
    back: pageContext.path('review'),
    reason: { why: words.why, who: cardEntry === 'typed' ? words.who : words.whoProcessor },
    lead: words.lead(total),
    content: html`${stepForm(pageContext, {
      action: pageContext.path('payment'),
      submit: cardEntry === 'page' ? words.goToProcessor : words.pay(total),
      working: words.paying,
      isSecret: true,
      content: html`${shownInput(shown)} ${entryFields(pageContext, processor, { typed, errors })}
      ${testNumbers(pageContext, processor)} ${feeTable(pageContext)}`,
    })}`,
  };
}

/** How the user pays: the fields of the method, or a hint at the page of the processor. */
export function entryFields(
  pageContext: Pick<AnyPageContext, 'texts'>,
  processor: Pick<PaymentProcessor, 'cardEntry' | 'fields' | 'methods'>,
  { typed, errors }: { typed: TypedPayment; errors: readonly FieldError[] },
): Html {
  const { cardEntry, fields } = processor;
  const entry = {
    page: () => html`<p id="cardNumber" tabindex="-1">${pageContext.texts.payment.onProcessorPage}</p>`,
    fields: () => fields && processorFields(pageContext, fields),
    typed: () => undefined,
  };
  const methods = methodsOf(processor);
  return html`${methodFields(pageContext, { methods, areTyped: cardEntry === 'typed', typed, errors })}
  ${entry[cardEntry]()}`;
}

/** The cards and bank accounts of test mode, where they are typed. */
export function testNumbers(
  pageContext: Pick<AnyPageContext, 'texts' | 'isTest'>,
  { cardEntry }: Pick<PaymentProcessor, 'cardEntry'>,
): Html | undefined {
  return pageContext.isTest && cardEntry === 'typed' ? testCardList(pageContext) : undefined;
}

/**
 * The page of a payment with an unknown result.
 *
 * @param bankLead What happens when the bank has confirmed it, which can take days.
 * @param href The page that looks again.
 */
export function pendingPaymentPage(
  { texts }: Pick<AnyPageContext, 'texts'>,
  method: PayingMethod,
  { bankLead, href }: { bankLead: string; href: string },
): Page {
  const words = texts.payment;
  return {
    title: words.pendingTitle,
    refreshSeconds: 3,
    lead: method === 'bankAccount' ? bankLead : words.pending,
    content: html`<p class="buttons"><a class="button quiet" href="${href}">${words.checkAgain}</a></p>`,
  };
}

/**
 * The page that leads to the processor's page. In a popup it redirects at once. In a frame the
 * processor's page opens in a new window, because few banks allow framing, and this page polls
 * until the user is done there.
 */
export function processorPage(pageContext: Pick<AnyPageContext, 'texts' | 'isFramed'>, url: string): Page {
  const words = pageContext.texts.payment;
  const elsewhere = pageContext.isFramed && html`target="_blank" rel="noreferrer"`;
  return {
    title: words.redirectTitle,
    ...(pageContext.isFramed ? { refreshSeconds: 3 } : { href: url }),
    lead: pageContext.isFramed ? words.redirectBeside : words.redirect,
    content: html`<p class="buttons"><a class="button" href="${url}" ${elsewhere}>${words.goToProcessor}</a></p>`,
  };
}

/** The page without a payment: `why` is the reason. */
export function noPaymentPage(pageContext: PageContext, why: 'stopped' | 'unavailable'): Page {
  const { texts } = pageContext;
  return {
    title: texts.payment[`${why}Title`],
    back: pageContext.path('review'),
    lead: texts.payment[why],
    content: html`${feeTable(pageContext)}
      <p class="buttons"><a class="button" href="${pageContext.path('leave')}">${texts.layout.leave}</a></p>`,
  };
}

/** The fees of each state and their total. */
export function feeTable(pageContext: PageContext): Html {
  const { texts, language, session } = pageContext;
  const words = texts.payment;
  const { lines, totalCents } = feesOfSession(session);
  return html`<div class="fees-scroller">
      <table class="fees">
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
                ${feeCells(pageContext, line).map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colspan="3">${words.total}</th>
            <td>${dollars(totalCents, language)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${feeHints(pageContext)}`;
}

/** The notices about fees that are confirmed at filing, or not verified with the departments. */
export function feeHints(pageContext: PageContext): Html[] {
  return feeNotes(pageContext).map((note) => html`<p class="hint">${note}</p>`);
}

function testCardList({ texts }: Pick<AnyPageContext, 'texts'>): Html {
  return html`<details class="inset">
    <summary>${texts.payment.testCards}</summary>
    <ul class="list">
      ${testCards.map(({ number, what }) => html`<li><code>${number}</code> <span lang="en">${what}</span></li>`)}
      ${testBankAccounts.map(
        ({ routingNumber, accountNumber, what }) =>
          html`<li><code>${routingNumber}</code>, <code>${accountNumber}</code> <span lang="en">${what}</span></li>`,
      )}
    </ul>
  </details>`;
}

/**
 * The container of the processor's fields. Neither the script nor the server of the bridge reads
 * their input.
 */
function processorFields({ texts }: Pick<AnyPageContext, 'texts'>, { scriptUrl, config }: ProcessorFields): Html {
  return html`<div class="field" id="payment-fields" tabindex="-1" data-config="${config}"></div>
    <input type="hidden" id="paymentToken" name="paymentToken" value="" />
    <noscript><p>${texts.payment.needsScript}</p></noscript>
    <script type="module" src="${scriptUrl}"></script>`;
}
