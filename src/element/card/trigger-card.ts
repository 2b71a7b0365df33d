import { html, nothing, type TemplateResult } from 'lit';
import type { PartnerSession } from '../../contract/index.js';
import { formatAmount, formatDate, formatList } from '../locales/formats.js';
import type { Language } from '../locales/language.js';
import { stateName, stepLine } from '../locales/phrases.js';
import type { ApplicationSnapshot } from '../store/snapshot.js';
import { changing } from './changing.js';

/** The contents and handlers of the trigger card. */
export interface TriggerCardView {
  language: Language;
  /** The attributes that the page sets about the application. */
  host: { snapshot: ApplicationSnapshot; mode: string; states: string; estimatedFee: number | undefined };
  /** The session, which overrides the attributes. */
  session: PartnerSession | undefined;
  /** The error that the user reads in place of the introduction. */
  failure: string | undefined;
  isBusy: boolean;
  onOpen(): void;
  /** Called when the user points at the card or focuses it. */
  onIntent(): unknown;
}

/** Renders the card with the button that opens, or the partner's content in its place. */
export function renderTrigger(view: TriggerCardView): TemplateResult {
  function onClick(event: Event): void {
    const { currentTarget, target } = event;
    // In our own card only the button opens. Slotted content is a trigger as a whole, also a link.
    const isInCard = currentTarget instanceof Node && target instanceof Element && currentTarget.contains(target);
    if (isInCard && !target.closest('button')) return;
    event.preventDefault();
    view.onOpen();
  }

  return html`<slot name="trigger" @click=${onClick} @pointerover=${view.onIntent} @focusin=${view.onIntent}
    >${renderCard(view)}</slot
  >`;
}

function renderCard({ language, host, session, failure, isBusy }: TriggerCardView): TemplateResult {
  const { texts, locale } = language;
  // Frameworks set `null` for absent values and may set a list as an array; backends may send text.
  const { createdAt = '', requestedStates, estimatedFee } = host.snapshot;
  const states = String((session?.states ?? requestedStates ?? host.states) || '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((code) => stateName(texts, code));
  const fee = session?.estimatedFees?.total ?? estimatedFee ?? host.estimatedFee;
  const startedOn = formatDate(createdAt, locale);
  const step = stepLine(texts, host.snapshot);
  // Also before the server has answered: the click continues the application of that id.
  const isEarlier = step || session || host.snapshot.applicationId;
  return html`<div class="card" part="card">
    <h2 part="title">${texts.title}</h2>
    <p class=${failure ? 'failure' : 'muted'}>${changing((failure ?? step) || texts.intro)}</p>
    <dl part="facts">
      ${states.length > 0 ? renderFact(texts.states, formatList(states, locale)) : nothing}
      ${typeof fee === 'number' && !Number.isNaN(fee) ? renderFact(texts.fees, formatAmount(fee, locale)) : nothing}
      ${startedOn ? renderFact(texts.started, startedOn) : nothing} ${renderFact(texts.duration, texts.durationValue)}
    </dl>
    <button
      class="button"
      part="button"
      aria-disabled=${isBusy}
      aria-haspopup=${['inline', 'popup', 'redirect'].includes(host.mode) ? 'false' : 'dialog'}
    >
      ${changing(isBusy ? texts.preparing : isEarlier ? texts.resume : texts.start)}
    </button>
  </div>`;
}

function renderFact(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${changing(name)}</dt>
    <dd>${changing(value)}</dd>
  </div>`;
}
