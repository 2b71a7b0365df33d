import { html, type TemplateResult } from 'lit';

/** A drawing on 16 × 16 units in the colour of the text. What it says is said in words beside it. */
export function renderIcon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
}
