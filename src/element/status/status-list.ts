import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../../contract/index.js';
import { dateOf } from '../locales/dates.js';
import { stateName } from '../locales/state-name.js';
import { renderIcon } from '../card/icon.js';
import { type ApplicationSnapshot, isDecided, type StateSnapshot } from './snapshot.js';
import { textOf, type Texts } from '../locales/texts.js';

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
  const decided = isDecided(snapshot);
  return html`<div class="card" part="card">
    <h2 tabindex="-1" part="title">
      ${asked ? texts.actionTitle : decided ? texts.decidedTitle : texts.submittedTitle}
    </h2>
    ${decided ? nothing : html`<p class="muted">${snapshot.states.length > 0 ? texts.submittedIntro : texts.unverified}</p>`}
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
            ${reason ? html`<p dir="auto">${reason}</p>` : nothing}
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
  approved: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M7 12 3 8l1-1 3 3 5-5 1 1z',
  denied: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M4 7h8v2H4z',
  pending_review: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M7 3h2v5h3v2H7z',
  requires_action: 'M8 1l8 14H0zM7 6v5h2V6zm0 6v2h2v-2z',
};
