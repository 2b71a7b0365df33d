import { css } from 'lit';

/** The design tokens and the styles that the cards and the container share. */
export const cardStyles = css`
  :host {
    --_accent: var(--licensing-apply-accent, light-dark(#1a56c4, #8ab4ff));
    --_text: var(--licensing-apply-text, light-dark(#1b1f27, #e9ecf2));
    --_muted: var(--licensing-apply-muted, light-dark(#565e6c, #a6aebb));
    --_line: 1px solid var(--licensing-apply-border, light-dark(#c9ced7, #3c434f));
    --_radius: var(--licensing-apply-radius, 10px);
    --_space: var(--licensing-apply-spacing, 8px);
    display: block;
    font-family: var(--licensing-apply-font, inherit);
    line-height: 1.45;
    color: var(--_text);
    text-align: start;
    text-wrap: pretty;
  }
  :host([hidden]:not([open])) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  * {
    box-sizing: border-box;
  }
  h2,
  p,
  dl,
  dd,
  ul {
    margin: 0;
    padding: 0;
  }
  h2 {
    font-size: 1.15em;
    font-weight: 600;
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
  dt {
    color: var(--_muted);
  }
  .failure {
    color: var(--licensing-apply-danger, light-dark(#b3261e, #ff9e95));
  }
  .card,
  .container,
  .question {
    max-inline-size: 720px;
    padding: calc(var(--_space) * 3);
    color: var(--_text);
    background: var(--licensing-apply-surface, light-dark(#fff, #16191f));
    border: var(--_line);
    border-radius: var(--_radius);
  }
  .card {
    display: grid;
    gap: calc(var(--_space) * 1.5);
    justify-items: start;
    padding: min(calc(var(--_space) * 3), 5%);
  }
  .card h2 + p {
    margin-block-start: calc(var(--_space) * -1);
  }
  dl,
  ul {
    justify-self: stretch;
    border-block-start: var(--_line);
  }
  dl > div {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 2);
    padding-block: var(--_space);
    border-block-end: var(--_line);
  }
  dt {
    flex: 1 6em;
  }
  dd {
    flex: 3 9em;
  }
  .button {
    --_fill: var(--_accent);
    display: inline-grid;
    place-items: center;
    min-block-size: 44px;
    padding: var(--_space) calc(var(--_space) * 2);
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    color: var(--licensing-apply-accent-text, light-dark(#fff, #0b1a33));
    background: var(--_fill);
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.7);
    cursor: pointer;
  }
  .button:is(:hover, [aria-disabled='true']) {
    background: color-mix(in oklab, var(--_fill) 88%, var(--_text));
  }
  .button[aria-disabled='true'] {
    cursor: progress;
  }
  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (forced-colors: active) {
    .button {
      border-color: ButtonText;
    }
  }
`;
