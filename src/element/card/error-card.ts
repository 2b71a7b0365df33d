import { html, nothing, type TemplateResult } from 'lit';
import type { LicensingApplyError } from '../events/errors.js';
import { failureText, type Texts } from '../locales/texts.js';

/** What the card says and does. */
export interface ErrorCardView {
  texts: Texts;
  error: LicensingApplyError;
  onRetry(): void;
}

/** What happened, and the one way on, where there is one. */
export function renderErrorCard({ texts, error, onRetry }: ErrorCardView): TemplateResult {
  return html`<div class="card" part="card error">
    <h2 tabindex="-1" part="title" class="failure">${texts.errorTitle}</h2>
    <p>${failureText(texts, error)}</p>
    ${
      error.recoverable
        ? html`<button class="button" part="button" @click=${onRetry}>
            ${error.code === 'session_expired' ? texts.resume : texts.retry}
          </button>`
        : nothing
    }
  </div>`;
}
