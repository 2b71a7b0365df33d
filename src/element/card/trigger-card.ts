import { html, nothing, type TemplateResult } from 'lit';
import type { PartnerSession } from '../../contract/index.js';
import { amountOf, stepLine } from '../locales/formats.js';
import { stateName } from '../locales/state-name.js';
import type { ApplicationSnapshot } from '../status/snapshot.js';
import type { Texts } from '../locales/texts.js';

/** What the card says. */
export interface TriggerCardView {
  texts: Texts;
  locale: string;
  /** What the page says of the application. */
  host: { snapshot: ApplicationSnapshot; mode: string; states: string; estimatedFee: number | undefined };
  /** What goes before it. */
  session: PartnerSession | undefined;
  /** What the user reads in place of the introduction when it could not be opened. */
  failure: string | undefined;
  busy: boolean;
  open(): void;
  /** Called when the user seems about to open. */
  prepare(): void;
}

/** The card, or what the partner puts in its place. */
export function renderTrigger(view: TriggerCardView): TemplateResult {
  function onClick(event: Event): void {
    const { currentTarget, target } = event;
    // In our own card only the button opens; what a partner puts into the slot is a trigger as a whole, also a link.
    const isCard = currentTarget instanceof Node && target instanceof Element && currentTarget.contains(target);
    if (isCard && !target.closest('button')) return;
    event.preventDefault();
    view.open();
  }
  return html`<slot name="trigger" @click=${onClick} @pointerover=${view.prepare} @focusin=${view.prepare}
    >${renderCard(view)}</slot
  >`;
}

/** What this is, for which states, what it costs, how long it takes, and the button. */
function renderCard({ texts, locale, host, session, failure, busy }: TriggerCardView): TemplateResult {
  // Frameworks set `null` for what they do not have, as an attribute does that is taken away, and lists as they are; backends may
  // send a text.
  const states = [session?.states ?? host.states]
    .join()
    .split(/[\s,]+/)
    .filter(Boolean);
  const feeDollars = session?.estimatedFees?.total ?? host.estimatedFee;
  const begun = stepLine(texts, host.snapshot);
  return html`<div class="card" part="card">
    <h2 part="title">${texts.title}</h2>
    <p class=${failure ? 'failure' : 'muted'}>${(failure ?? begun) || texts.intro}</p>
    <dl part="facts">
      ${states.length > 0 ? row(texts.states, states.map(stateName).join(', ')) : nothing}
      ${feeDollars || feeDollars === 0 ? row(texts.fees, amountOf(feeDollars, locale)) : nothing}
      ${row(texts.duration, texts.durationValue)}
    </dl>
    <button
      class="button"
      part="button"
      aria-disabled=${busy}
      aria-haspopup=${['inline', 'popup', 'redirect'].includes(host.mode) ? 'false' : 'dialog'}
    >
      ${busy ? texts.preparing : begun ? texts.resume : texts.start}
    </button>
  </div>`;
}

function row(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
