import { html, type TemplateResult } from 'lit';

/** The drawings, on 16 × 16 units. The statuses differ by outline as well as by color. */
export const icons = {
  /** Beside the host name of an encrypted connection. */
  lock: 'M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z',
  cross: 'M3 4l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z',
  approved: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M7 12 3 8l1-1 3 3 5-5 1 1z',
  denied: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M4 7h8v2H4z',
  pending_review: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M7 3h2v5h3v2H7z',
  requires_action: 'M8 1l8 14H0zM7 6v5h2V6zm0 6v2h2v-2z',
} as const;

/**
 * Renders a drawing in the color of the text. Hidden from screen readers, because the text beside
 * it has the same meaning.
 */
export function renderIcon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
}
