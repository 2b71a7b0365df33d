import { html, nothing, type TemplateResult } from 'lit';
import { amountOf, stateName, stepLine } from './formats.js';
import type { ApplicationSnapshot } from './snapshot.js';
import type { Texts } from './texts.js';

/** What the card says. */
export interface TriggerCardView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  states: readonly string[];
  feeDollars: number | undefined;
  busy: boolean;
}

/** What this is, for which states, what it costs, how long it takes, and the button. */
export function renderTriggerCard({
  texts,
  locale,
  snapshot,
  states,
  feeDollars,
  busy,
}: TriggerCardView): TemplateResult {
  const begun = stepLine(texts, snapshot);
  return html`<div class="card" part="card">
    <h2>${texts.title}</h2>
    <p class="muted">${begun || texts.intro}</p>
    <dl>
      ${states.length > 0 ? row(texts.states, states.map(stateName).join(', ')) : nothing}
      ${feeDollars === undefined ? nothing : row(texts.fees, amountOf(feeDollars, locale))}
      ${row(texts.duration, texts.durationValue)}
    </dl>
    <button class="button" part="button" aria-disabled=${busy ? 'true' : 'false'} aria-haspopup="dialog">
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
