import { html, nothing, type TemplateResult } from 'lit';
import type { LicensingApplyError } from '../errors.js';
import { errorText } from '../locales/phrases.js';
import type { Texts } from '../locales/texts.js';
import { changing } from './changing.js';

/** The contents and handlers of the error card. */
export interface ErrorCardView {
  texts: Texts;
  error: LicensingApplyError;
  onRetry(): void;
}

/** Renders the error, with a retry button where a retry can help. */
export function renderErrorCard({ texts, error, onRetry }: ErrorCardView): TemplateResult {
  const label = error.code === 'session_expired' ? texts.resume : texts.retry;
  return html`<div class="card" part="card error">
    <h2 tabindex="-1" part="title" class="failure">${texts.errorTitle}</h2>
    <p>${changing(errorText(texts, error))}</p>
    ${error.recoverable ? html`<button class="button" part="button" @click=${onRetry}>${changing(label)}</button>` : nothing}
  </div>`;
}
