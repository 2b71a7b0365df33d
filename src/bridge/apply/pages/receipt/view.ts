import { type Application, type ApplicationState, statusNames } from '../../../../contract/index.js';
import { feesOf } from '../../../domain/payments/payment.js';
import { html, type Html } from '../../../pages/html.js';
import type { PaymentRow } from '../../../store/applications/payment-store.js';
import type { Page } from '../../layout.js';
import { dollars, longDate, longTime, stateName, type PageContext } from '../../page-context.js';

/** What was sent, what it cost and what each state says. Made to be kept: it prints well. */
export function receiptPage(
  pageContext: PageContext,
  application: Application,
  payment: PaymentRow | undefined,
  doneHref: string,
): Page {
  const { texts, language, agencyName, session } = pageContext;
  const words = texts.receipt;
  const signedName = session.saved.review?.data['signedName'];
  const fees = payment
    ? texts.review.paid(dollars(payment.amount_cents, language), payment.card_last4)
    : `${dollars(feesOf(session.application).totalCents, language)}. ${texts.review.billed(agencyName)}`;
  return {
    title: words.title,
    tells: 'submitted',
    content: html`<div class="sent">
        ${check()}
        <p>${session.application.mode === 'live' ? words.leadLive : words.lead}</p>
      </div>
      <dl class="summary receipt">
        ${line(words.number, html`<code>${application.applicationId}</code>`)}
        ${line(words.submittedAt, longTime(session.application.submitted_at ?? new Date(0), language))}
        ${
          // Erased when the application ended long ago.
          typeof signedName === 'string' && line(words.signedBy, signedName)
        }
        ${line(words.fees, fees)}
      </dl>
      <h2>${words.states}</h2>
      <ul class="states">
        ${application.states.map((state) => stateRow(pageContext, state))}
      </ul>
      <p class="screen-only"><a href="${pageContext.path('receipt')}">${words.refresh}</a></p>
      <h2>${words.nextTitle}</h2>
      <ul class="list">
        ${words.next.map((text) => html`<li>${text}</li>`)}
      </ul>
      <p class="buttons screen-only">
        <a class="button" id="done" href="${doneHref}">${words.done(agencyName)}</a>
        <button class="button quiet" id="print" type="button" hidden>${words.print}</button>
      </p>`,
  };
}

function check(): Html {
  return html`<svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="14" fill="none" stroke="currentColor" stroke-width="2.5" />
    <path d="m9.5 16.5 4.5 4.5 8.5-9.5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
  </svg>`;
}

function line(name: string, value: string | Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function stateRow(pageContext: PageContext, { state, status, reason, updatedAt, actionUrl }: ApplicationState): Html {
  const { texts, language } = pageContext;
  const name = stateName(state, language);
  return html`<li class="state">
    <span class="state-name">${name}</span>
    <span class="status ${status}">${statusNames[language][status]}</span>
    <span class="state-date">${longDate(new Date(updatedAt), language)}</span>
    ${reason && html`<p class="state-reason" lang="en">${reason}</p>`}
    ${
      actionUrl &&
      html`<p class="state-action screen-only">
        <a class="button" ${actionLink(pageContext, state, actionUrl)}>${texts.receipt.act(name)}</a>
      </p>`
    }
  </li>`;
}

/** A department's own address stays as it was written, and opens beside the receipt: few sites let themselves be framed. */
function actionLink({ host, query }: PageContext, state: string, actionUrl: string): Html {
  if (new URL(actionUrl).host !== host) return html`href="${actionUrl}" target="_blank" rel="noreferrer"`;
  return html`href="${actionUrl}${query}" data-action-state="${state}"`;
}
