import { html, nothing, type TemplateResult } from 'lit';
import { formatDate, formatDay } from '../locales/formats.js';
import { stateName, statusName } from '../locales/phrases.js';
import type { Texts } from '../locales/texts.js';
import { compareUrgency, isDecided } from '../store/selectors.js';
import type { ApplicationSnapshot, StateSnapshot } from '../store/snapshot.js';
import { changing } from './changing.js';
import { icons, renderIcon } from './icons.js';

/** The contents and handlers of the status list. */
export interface StatusListView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  /** Whether the link on which the user answers `state` is known. */
  canAnswer(state: string): boolean;
  onAnswer(state: string): void;
  /** Shows the receipt. Undefined if its link is not known. */
  onShowReceipt: (() => void) | undefined;
  /** The offer to apply in more states. */
  more: TemplateResult | undefined;
}

/** Renders the card after submission: one row for each state. */
export function renderStatusList(view: StatusListView): TemplateResult {
  const { texts, snapshot } = view;
  const { states } = snapshot;
  const needsUser = states.some(({ status }) => status === 'requires_action');
  const decided = isDecided(snapshot);
  const title = needsUser ? texts.actionTitle : decided ? texts.decidedTitle : texts.submittedTitle;
  return html`<div class="card" part="card">
    <h2 tabindex="-1" part="title">${changing(title)}</h2>
    ${decided ? nothing : html`<p class="muted">${changing(states.length > 0 ? texts.submittedIntro : texts.unverified)}</p>`}
    ${
      states.length > 0
        ? html`<ul part="status-list">
            ${sortByName(view).map((state) => renderState(view, state))}
          </ul>`
        : nothing
    }
    ${renderReceipt(view)}${view.more}
  </div>`;
}

function renderReceipt({ texts, locale, snapshot, onShowReceipt }: StatusListView): TemplateResult | typeof nothing {
  const { submittedAt = '', receiptNumber } = snapshot;
  const date = formatDate(submittedAt, locale);
  const line = [date && texts.submittedOn({ date }), receiptNumber && texts.receipt({ number: receiptNumber })];
  const text = line.filter(Boolean).join(' · ');
  if (!text && !onShowReceipt) return nothing;
  const button = html`<button class="quiet button" part="quiet-button" @click=${onShowReceipt}>
    ${texts.showReceipt}
  </button>`;
  return html`<div class="receipt" part="receipt">
    <p class="muted">${changing(text)}</p>
    ${onShowReceipt ? button : nothing}
  </div>`;
}

/** The states that need the user first, then by the name that is shown. */
function sortByName({ texts, locale, snapshot }: StatusListView): StateSnapshot[] {
  const { compare } = new Intl.Collator(locale);
  return [...snapshot.states].sort(
    (one, other) => compareUrgency(one, other) || compare(stateName(texts, one.state), stateName(texts, other.state)),
  );
}

function renderState(view: StatusListView, snapshot: StateSnapshot): TemplateResult {
  const { state, status, updatedAt = '', reason } = snapshot;
  const { texts, locale } = view;
  const icon = (icons as Readonly<Record<string, string>>)[status] ?? icons.pending_review;
  const date = formatDate(updatedAt, locale);
  return html`<li part="state" data-status=${status}>
    ${renderIcon(icon)}
    <strong>${changing(stateName(texts, state))}</strong>
    <span class="status">${changing(statusName(texts, snapshot))}</span>
    <span class="date muted"
      >${date ? html`<time datetime=${updatedAt}>${changing(texts.updated({ date }))}</time>` : nothing}</span
    >
    ${renderLicense(view, snapshot)} ${status === 'requires_action' ? renderRequest(view, state, reason) : nothing}
  </li>`;
}

function renderLicense({ texts, locale }: StatusListView, { status, licenseNumber, expiresOn = '' }: StateSnapshot) {
  if (status !== 'approved') return nothing;
  const date = formatDay(expiresOn, locale);
  const line = [licenseNumber && texts.license({ number: licenseNumber }), date && texts.expires({ date })];
  const text = line.filter(Boolean).join(' · ');
  return text ? html`<span class="license">${changing(text)}</span>` : nothing;
}

function renderRequest(view: StatusListView, state: string, reason: string | undefined): TemplateResult {
  const { texts } = view;
  const onClick = () => {
    view.onAnswer(state);
  };
  const label = texts.answerState({ state: stateName(texts, state) });
  const button = html`<button class="button" part="action-button" aria-label=${label} @click=${onClick}>
    ${texts.answer}
  </button>`;
  // The words of a state may be in another language, and another direction, than the card.
  return html`<div class="request">
    ${reason ? html`<p dir="auto">${changing(reason)}</p>` : nothing} ${view.canAnswer(state) ? button : nothing}
  </div>`;
}
