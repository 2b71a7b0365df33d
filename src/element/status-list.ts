import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../contract/index.js';
import { dateOf } from './dates.js';
import { stateName } from './formats.js';
import { renderIcon } from './icon.js';
import type { ApplicationSnapshot, StateSnapshot } from './snapshot.js';
import { textOf, type Texts } from './texts.js';

/** What the list shows. */
export interface StatusListView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  canAnswer(state: string): boolean;
  onAnswer(state: string): void;
}

/** One row a state: name, status as shape, colour and word, date, and what it asks for. */
export function renderStatusList(view: StatusListView): TemplateResult {
  const { texts, snapshot } = view;
  const asked = snapshot.states.some(({ status }) => status === 'requires_action');
  return html`<div class="card" part="card">
    <h2 tabindex="-1" part="title">${asked ? texts.actionTitle : texts.submittedTitle}</h2>
    <p class="muted">${snapshot.states.length > 0 ? texts.submittedIntro : texts.unverified}</p>
    ${
      snapshot.states.length > 0
        ? html`<ul part="status-list">
            ${snapshot.states.map((state) => renderState(view, state))}
          </ul>`
        : nothing
    }
  </div>`;
}

/** The name of a status. A status that is newer than this build is shown as it came, in words. */
export function statusName(texts: Texts, { status }: StateSnapshot): string {
  return textOf(texts, `status_${status}`) ?? status.replaceAll('_', ' ');
}

function renderState({ texts, locale, canAnswer, onAnswer }: StatusListView, fact: StateSnapshot): TemplateResult {
  const { state, status, updatedAt, reason } = fact;
  return html`<li part="state" data-status=${status}>
    ${renderIcon((shapes as Readonly<Record<string, string>>)[status] ?? shapes.pending_review)}
    <strong>${stateName(state)}</strong>
    <span class="status">${statusName(texts, fact)}</span>
    <span class="date muted"
      >${updatedAt ? html`<time datetime=${updatedAt}>${texts.updated(dateOf(updatedAt, locale))}</time>` : nothing}</span
    >
    ${
      status === 'requires_action'
        ? html`<div class="ask">
            ${reason ? html`<p>${reason}</p>` : nothing}
            ${
              canAnswer(state)
                ? html`<button
                    class="button"
                    part="action-button"
                    aria-label=${texts.answer(stateName(state))}
                    @click=${() => {
                      onAnswer(state);
                    }}
                  >
                    ${texts.answerShort}
                  </button>`
                : nothing
            }
          </div>`
        : nothing
    }
  </li>`;
}

// Told apart by outline as well as by colour: check, bar, clock, triangle.
const shapes: Readonly<Record<ApplicationStatus, string>> = {
  approved: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m-1.2 11.6L3.4 8.2l1.2-1.2 2.2 2.2 4.6-4.7 1.2 1.2z',
  denied: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M3.5 7h9v2h-9z',
  pending_review:
    'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m0 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M7.2 4v4.6l3.3 2 .8-1.3-2.5-1.5V4z',
  requires_action: 'M8 .5 16 15H0zM7.2 6v4.5h1.6V6zm0 5.6v1.6h1.6v-1.6z',
};
