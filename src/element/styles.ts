import { css } from 'lit';

/** Tokens and the card: what shows before anything else is loaded. */
export const styles = css`
  :host {
    --accent: var(--licensing-apply-accent, light-dark(#1a56c4, #8ab4ff));
    --accent-text: var(--licensing-apply-accent-text, light-dark(#fff, #0b1a33));
    --surface: var(--licensing-apply-surface, light-dark(#fff, #16191f));
    --text: var(--licensing-apply-text, light-dark(#1b1f27, #e9ecf2));
    --muted: var(--licensing-apply-muted, light-dark(#565e6c, #a6aebb));
    --border: var(--licensing-apply-border, light-dark(#c9ced7, #3c434f));
    --danger: var(--licensing-apply-danger, light-dark(#b3261e, #ff9e95));
    --warning: var(--licensing-apply-warning, light-dark(#8a5300, #f5bd63));
    --success: var(--licensing-apply-success, light-dark(#1b6e3c, #7ad79c));
    --radius: var(--licensing-apply-radius, 10px);
    --space: var(--licensing-apply-spacing, 8px);
    display: block;
    font: inherit;
    font-family: var(--licensing-apply-font, inherit);
    line-height: 1.45;
    color: var(--text);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  *,
  ::before {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  dl,
  dd,
  ul {
    margin: 0;
    padding: 0;
  }
  h2,
  h3 {
    font-size: 1.15em;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }
  svg {
    inline-size: 1em;
    block-size: 1em;
    fill: currentColor;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .muted,
  dt,
  .date {
    color: var(--muted);
  }
  .card {
    display: grid;
    gap: calc(var(--space) * 1.5);
    justify-items: start;
    max-inline-size: 40em;
    padding: calc(var(--space) * 3);
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: var(--radius);
  }
  .card h2 + p {
    margin-block-start: calc(var(--space) * -1);
  }
  dl,
  ul {
    justify-self: stretch;
    border-block-start: 1px solid var(--border);
  }
  dl > div {
    display: grid;
    grid-template-columns: minmax(6em, 1fr) 3fr;
    gap: var(--space) calc(var(--space) * 2);
    padding-block: var(--space);
    border-block-end: 1px solid var(--border);
  }
  .button {
    min-block-size: 44px;
    padding: calc(var(--space) * 1.1) calc(var(--space) * 2.5);
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    color: var(--accent-text);
    background: var(--accent);
    border: 1px solid transparent;
    border-radius: calc(var(--radius) * 0.7);
    cursor: pointer;
  }
  .button:hover {
    background: color-mix(in oklab, var(--accent) 88%, var(--text));
  }
  .button[aria-disabled='true'] {
    cursor: progress;
    background: color-mix(in oklab, var(--accent) 80%, var(--text));
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  @media (max-width: 480px) {
    .card {
      padding: calc(var(--space) * 2);
    }
  }
  @media (forced-colors: active) {
    .button {
      border-color: ButtonText;
    }
  }
`;
