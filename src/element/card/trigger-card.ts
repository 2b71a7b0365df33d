import { html, nothing, type TemplateResult } from 'lit';
import type { PartnerSession } from '../../contract/index.js';
import { formatAmount, formatDate, formatList } from '../locales/formats.js';
import type { Language } from '../locales/language.js';
import { stateName, stepLine } from '../locales/phrases.js';
import type { ApplicationSnapshot } from '../store/snapshot.js';
import { changing } from './changing.js';

/** What the user chooses on the card, once its code is loaded. */
export interface StateChoice {
  /** The check boxes. */
  fields: TemplateResult;
  /** The codes of the chosen states, where the check boxes scroll and may hide them. */
  named: readonly string[];
  /** Whether the next opening starts a new application. */
  isNew: boolean;
  /** The fees of the choice in US dollars, if they are known. */
  fee: number | undefined;
}

/** The contents and handlers of the trigger card. */
export interface TriggerCardView {
  language: Language;
  /** The attributes that the page sets about the application. */
  host: { snapshot: ApplicationSnapshot; mode: string; states: string; estimatedFee: number | undefined };
  /** The session, which overrides the attributes. */
  session: PartnerSession | undefined;
  /** The choice of states, in place of their names. */
  choice: StateChoice | undefined;
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

/**
 * Returns the codes in a list of states. Frameworks set `null` for absent values and may
 * set a list as an array; backends may send text.
 */
export function codesOf(states: string | readonly string[] | null | undefined): string[] {
  return String(states || '')
    .split(/[\s,]+/)
    .filter(Boolean);
}

function renderCard({ language, host, session, choice, failure, isBusy }: TriggerCardView): TemplateResult {
  const { texts, locale } = language;
  const { createdAt = '', requestedStates, estimatedFee } = host.snapshot;
  const codes = choice?.named ?? codesOf(session?.states ?? requestedStates ?? host.states);
  const states = codes.map((code) => stateName(texts, code));
  const fee = choice?.isNew ? choice.fee : (session?.estimatedFees?.total ?? estimatedFee ?? host.estimatedFee);
  const startedOn = formatDate(createdAt, locale);
  const step = stepLine(texts, host.snapshot);
  // Also before the server has answered: the click continues the application of that id.
  const isEarlier = step || session || host.snapshot.applicationId;
  return html`<div class="card" part="card">
    <h2 part="title">${texts.title}</h2>
    <p class=${failure ? 'failure' : 'muted'}>${changing((failure ?? step) || texts.intro)}</p>
    ${choice?.fields}
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
      ${changing(isBusy ? texts.preparing : isEarlier && !choice?.isNew ? texts.resume : texts.start)}
    </button>
  </div>`;
}

function renderFact(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${changing(name)}</dt>
    <dd>${changing(value)}</dd>
  </div>`;
}
