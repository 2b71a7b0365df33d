import {
  type Application,
  type ApplicationState,
  type Language,
  statusNames,
  statusTransitions,
  type WaitingReason,
  waitingNames,
  waitingReasons,
} from '../../../../contract/index.js';
import { appliedFor } from '../../../domain/applications/profile/profile.js';
import { pendingPages } from '../../../domain/applications/profile/requirements.js';
import { pageTitle } from '../../../domain/applications/profile/rows.js';
import { receiptNumberOf } from '../../../domain/applications/receipt-number.js';
import { html, type Html } from '../../../pages/html.js';
import type { ReceiptPayments } from '../../../domain/payments/payment.js';
import type { AuthorizedPaymentRow, FurtherFeeRow } from '../../../store/payments/payment-store.js';
import type { Page } from '../../layout.js';
import { listed, stateName } from '../../../catalogue/state-names.js';
import { dollars, longDate, longTime, type PageContext } from '../../page-context.js';
import { feeTable } from '../payments/view.js';
import { pendingNeed } from '../profile/state-need.js';

/** The submission, the fees and the status of each state. With a style for printing, and a PDF. */
export function receiptPage(
  pageContext: PageContext,
  application: Application,
  { payment, furtherFees }: ReceiptPayments,
  doneHref: string,
): Page {
  const { texts, language, agencyName, session, sendsMail } = pageContext;
  const words = texts.receipt;
  const { signedName, digest } = session.saved.review?.data ?? {};
  const summary = summaryOf(pageContext, application.states);
  return {
    title: summary.title,
    tells: 'submitted',
    content: html`<div class="sent ${summary.outcome}">
        ${(summary.outcome === 'open' || summary.outcome === 'approved') && check()}
        <p>${summary.lead}</p>
      </div>
      <p class="buttons screen-only">
        <a class="button" id="done" href="${doneHref}">${words.done(agencyName)}</a>
        <a class="button quiet" href="${pageContext.path('receipt.pdf')}" download>${words.pdf}</a>
        <button class="button quiet" id="print" type="button" hidden>${words.print}</button>
      </p>
      <dl class="summary receipt">
        ${line(words.number, html`<code class="short-number">${receiptNumberOf(application.applicationId)}</code>`)}
        ${line(words.submittedAt, time(pageContext, session.application.submittedAt))}
        ${
          // Erased when the application ended long ago.
          typeof signedName === 'string' && line(words.signedBy, signedName)
        }
        ${typeof digest === 'string' && line(words.digest, html`<code class="digest">${digest}</code>`)}
        ${
          payment
            ? html`${line(words.paid, paidText(pageContext, payment))}
              ${line(words.paidAt, time(pageContext, payment.authorizedAt))}
              ${payment.reference !== null && line(words.reference, html`<code>${payment.reference}</code>`)}
              ${payment.refundedCents > 0 && line(words.refunded, dollars(payment.refundedCents, language))}`
            : line(words.fees, texts.review.billed(agencyName))
        }
        ${furtherFees.map((fee) => line(words.furtherFee(stateName(fee.state, language)), furtherFeeText(pageContext, fee)))}
      </dl>
      ${feeTable(pageContext)}
      <h2>${words.states}</h2>
      <ul class="states">
        ${application.states.map((state) => stateRow(pageContext, state))}
      </ul>
      <p class="screen-only"><a href="${pageContext.path('receipt')}">${words.refresh}</a></p>
      ${pendingNeeds(pageContext, application.states)}
      <h2>${summary.nextTitle}</h2>
      <ul class="list">
        ${summary.next.map((text) => html`<li>${text}</li>`)}
      </ul>
      ${sendsMail && html`<p>${words.mailed}</p>`}
      <p>${words.keep}</p>
      <p class="hint">${words.fullNumber} <code>${application.applicationId}</code></p>`,
  };
}

/** The data of a receipt, also outside of a page. */
export type ReceiptContext = Pick<PageContext, 'texts' | 'language' | 'session' | 'agencyName' | 'isTest'>;

/** The decisions of all states together; `open` until every state has decided. */
type Outcome = 'open' | 'approved' | 'denied' | 'mixed';

/** The receipt by the outcome: what it is called, says first, and leaves to do. */
export interface ReceiptSummary {
  outcome: Outcome;
  title: string;
  lead: string;
  nextTitle: string;
  next: readonly string[];
}

/** The summary of an application with these states. In test mode no real department has it. */
export function summaryOf(
  { texts, session }: Pick<ReceiptContext, 'texts' | 'session'>,
  states: readonly ApplicationState[],
): ReceiptSummary {
  const words = texts.receipt;
  const isTest = session.application.mode === 'test';
  const outcome = outcomeOf(states);
  if (outcome === 'open') {
    const lead = isTest ? words.leadTest : words.leadLive;
    const next = isTest ? words.nextTest : words.nextLive;
    return { outcome, title: words.title, lead, nextTitle: words.nextTitle, next };
  }
  const { title, lead } = words.outcomes[outcome];
  const { approved, denied } = words.left;
  return {
    outcome,
    title,
    lead: isTest ? `${lead} ${words.decidedTest}` : lead,
    nextTitle: words.leftTitle,
    next: outcome === 'mixed' ? [approved, denied] : [words.left[outcome]],
  };
}

function outcomeOf(states: readonly ApplicationState[]): Outcome {
  if (states.length === 0 || states.some(isUndecided)) return 'open';
  const approved = states.filter(({ status }) => status === 'approved');
  if (approved.length === states.length) return 'approved';
  return approved.length === 0 ? 'denied' : 'mixed';
}

function isUndecided({ status }: ApplicationState): boolean {
  return statusTransitions[status].length > 0;
}

/** The steps that the user marked as not done yet, for the states that have not decided. */
function pendingNeeds(pageContext: PageContext, states: readonly ApplicationState[]): Html | undefined {
  const { texts, language, session } = pageContext;
  const undecided = states.filter(isUndecided).map(({ state }) => state);
  const pages = pendingPages(session.profile, appliedFor(session)).filter(
    ({ state }) => state !== undefined && undecided.includes(state),
  );
  if (pages.length === 0) return undefined;
  return html`<h2>${texts.receipt.leftTitle}</h2>
    <p class="hint">${texts.receipt.pending}</p>
    ${pages.map((page) => pendingNeed(pageContext, page, pageTitle(page, language)))}`;
}

/** The amount and method of a payment. */
export function paidText(
  { texts, language }: Pick<ReceiptContext, 'texts' | 'language'>,
  { amountCents, method, cardLast4, status, problem }: AuthorizedPaymentRow,
) {
  const amount = dollars(amountCents, language);
  const words = texts.receipt;
  const byCard = cardLast4 === '' ? amount : texts.review.paid(amount, cardLast4);
  const text = method === 'bankAccount' ? texts.review.paidByBank(amount) : byCard;
  if (status === 'voided') return `${text}. ${words.released}`;
  if (status === 'captured') return text;
  // Such as a bank account that is empty when the application is filed, days after the payment.
  const isRefused = status === 'capturing' && problem !== null;
  return `${text}. ${isRefused ? words.notCharged : words.reserved}`;
}

/** A time with its zone, which the script converts to the user's time zone. */
function time({ language }: PageContext, at: Date | null): Html | string {
  if (at === null) return '';
  return html`<time datetime="${at.toISOString()}" data-local>${longTime(at, language)}</time>`;
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

function stateRow(pageContext: PageContext, row: ApplicationState): Html {
  const { state, status, updatedAt, actionUrl } = row;
  const waiting = waitingReason(row);
  const reason = waiting === undefined ? row.reason : undefined;
  const license = licenseText(pageContext, row);
  const { texts, language } = pageContext;
  const name = stateName(state, language);
  return html`<li class="state">
    <span class="state-name">${name}</span>
    <span class="status ${status}">${statusName(row, language)}</span>
    <span class="state-date">${longDate(new Date(updatedAt), language)}</span>
    ${reason && html`<p class="state-reason" lang="en">${reason}</p>`}
    ${waiting && html`<p class="state-waiting">${texts.receipt.waiting[waiting](name)}</p>`}
    ${license && html`<p class="state-license">${license}</p>`}
    ${
      actionUrl &&
      html`<p class="state-action screen-only">
        <a class="button" ${actionLink(pageContext, state, actionUrl)}>${texts.receipt.act(name)}</a>
      </p>`
    }
  </li>`;
}

/** The status of a state in words: not "in review" while the state does not review it. */
export function statusName(row: ApplicationState, language: Language): string {
  const waiting = waitingReason(row);
  return waiting === undefined ? statusNames[language][row.status] : waitingNames[language][waiting];
}

function waitingReason({ status, reason }: ApplicationState): WaitingReason | undefined {
  return status === 'pending_review' ? waitingReasons.find((code) => code === reason) : undefined;
}

/** The issued license in a line, as far as the operator entered it; "" without one. */
export function licenseText(
  { texts, language, session }: Pick<ReceiptContext, 'texts' | 'language' | 'session'>,
  license: ApplicationState,
): string {
  const { receipt: words } = texts;
  const { licenseNumber, issuedOn, expiresOn, lines = [] } = license;
  const day = (text: string | undefined) => text && longDate(new Date(`${text}T00:00:00Z`), language);
  const names = session.pinned.texts[language].linesOfAuthority;
  const parts = [
    [words.licenseNumber, licenseNumber],
    [words.issuedOn, day(issuedOn)],
    [words.expiresOn, day(expiresOn)],
    [
      words.lines,
      listed(
        lines.map((line) => names[line] ?? line),
        language,
      ),
    ],
  ].flatMap(([name, value]) => (value ? [`${name ?? ''}: ${value}`] : []));
  return parts.join(' · ');
}

/**
 * A URL of a department is not changed, and opens in a new window, because few sites allow framing.
 */
function actionLink({ host, query }: PageContext, state: string, actionUrl: string): Html {
  if (new URL(actionUrl).host !== host) return html`href="${actionUrl}" target="_blank" rel="noreferrer"`;
  return html`href="${actionUrl}${query}" data-action-state="${state}"`;
}

/** The amount of a further fee, its time, and what was refunded of it. */
export function furtherFeeText(
  { texts, language }: Pick<ReceiptContext, 'texts' | 'language'>,
  { amountCents, authorizedAt, refundedCents, status, problem }: FurtherFeeRow,
): string {
  const words = texts.receipt;
  const paid = `${dollars(amountCents, language)}, ${longTime(authorizedAt, language)}`;
  if (status === 'capturing' && problem !== null) return `${paid}. ${words.notCharged}`;
  return refundedCents === 0 ? paid : `${paid}. ${words.refunded}: ${dollars(refundedCents, language)}`;
}
