import { css } from 'lit';

/** Tokens and the card: what shows before anything else is loaded. */
export const styles = css`
  :host {
    --_accent: var(--licensing-apply-accent, light-dark(#1a56c4, #8ab4ff));
    --_accent-text: var(--licensing-apply-accent-text, light-dark(#fff, #0b1a33));
    --_surface: var(--licensing-apply-surface, light-dark(#fff, #16191f));
    --_text: var(--licensing-apply-text, light-dark(#1b1f27, #e9ecf2));
    --_muted: var(--licensing-apply-muted, light-dark(#565e6c, #a6aebb));
    --_border: var(--licensing-apply-border, light-dark(#c9ced7, #3c434f));
    --_danger: var(--licensing-apply-danger, light-dark(#b3261e, #ff9e95));
    --_warning: var(--licensing-apply-warning, light-dark(#8a5300, #f5bd63));
    --_success: var(--licensing-apply-success, light-dark(#1b6e3c, #7ad79c));
    --_radius: var(--licensing-apply-radius, 10px);
    --_space: var(--licensing-apply-spacing, 8px);
    display: block;
    font: inherit;
    font-family: var(--licensing-apply-font, inherit);
    line-height: 1.45;
    color: var(--_text);
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
    color: var(--_muted);
  }
  .card {
    display: grid;
    gap: calc(var(--_space) * 1.5);
    justify-items: start;
    max-inline-size: 40em;
    padding: calc(var(--_space) * 3);
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .card h2 + p {
    margin-block-start: calc(var(--_space) * -1);
  }
  dl,
  ul {
    justify-self: stretch;
    border-block-start: 1px solid var(--_border);
  }
  dl > div {
    display: grid;
    grid-template-columns: minmax(6em, 1fr) 3fr;
    gap: var(--_space) calc(var(--_space) * 2);
    padding-block: var(--_space);
    border-block-end: 1px solid var(--_border);
  }
  .button {
    min-block-size: 44px;
    padding: calc(var(--_space) * 1.1) calc(var(--_space) * 2.5);
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    color: var(--_accent-text);
    background: var(--_accent);
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.7);
    cursor: pointer;
  }
  .button:hover {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
  }
  .button[aria-disabled='true'] {
    cursor: progress;
    background: color-mix(in oklab, var(--_accent) 80%, var(--_text));
  }
  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (max-width: 480px) {
    .card {
      padding: calc(var(--_space) * 2);
    }
  }
  @media (forced-colors: active) {
    .button {
      border-color: ButtonText;
    }
  }
`;
