import { css } from 'lit';

/** The look of the open application. Adopted when the surface is loaded. */
export const surfaceStyles = css`
  .surface {
    padding: 0;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    overflow: hidden;
    flex-direction: column;
  }
  .inline,
  .surface[open] {
    display: flex;
  }
  .card + .inline {
    margin-block-start: calc(var(--_space) * 2);
  }
  .inline:focus {
    outline: none;
  }
  dialog.surface {
    inline-size: min(720px, 100vw - 32px);
    max-inline-size: none;
    block-size: min(920px, 92dvh);
    max-block-size: none;
    border-color: light-dark(transparent, var(--_border));
  }
  .quiet {
    color: var(--_text);
    background: transparent;
    border-color: currentColor;
  }
  .quiet:hover {
    background: color-mix(in oklab, var(--_text) 8%, transparent);
  }
  dialog::backdrop {
    background: rgb(12 16 24 / 55%);
  }
  header {
    position: relative;
    display: grid;
    grid-template-columns: 1fr auto auto;
    gap: 2px calc(var(--_space) * 2);
    align-items: center;
    padding: calc(var(--_space) * 1.5) calc(var(--_space) * 2);
    border-block-end: 1px solid var(--_border);
  }
  header h2 {
    font-size: 1em;
  }
  .step,
  .host,
  .window {
    font-size: 0.85em;
    color: var(--_muted);
  }
  .step {
    grid-area: 2 / 1;
    min-block-size: 1.45em;
  }
  .host {
    grid-area: 1 / 2;
    justify-self: end;
    display: flex;
    gap: 0.4em;
    align-items: center;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  .window {
    grid-area: 2 / 2;
    justify-self: end;
  }
  .close {
    grid-area: 1 / 3 / 3 / 4;
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    padding: 0;
    font-size: 1.1em;
    color: inherit;
    background: transparent;
    border: 0;
    border-radius: calc(var(--_radius) * 0.7);
    cursor: pointer;
  }
  .close:hover {
    background: color-mix(in oklab, var(--_text) 8%, transparent);
  }
  .surface :focus-visible {
    outline-offset: -3px;
  }
  progress {
    position: absolute;
    inset: auto 0 -1px;
    inline-size: 100%;
    block-size: 3px;
    appearance: none;
    border: 0;
    background: transparent;
  }
  progress::-webkit-progress-bar {
    background: transparent;
  }
  progress::-webkit-progress-value {
    background: var(--_accent);
    transition: inline-size 180ms;
  }
  progress::-moz-progress-bar {
    background: var(--_accent);
  }
  .stage {
    position: relative;
    display: grid;
    flex: 1;
    min-block-size: 0;
  }
  .stage > * {
    grid-area: 1 / 1;
  }
  .stage slot {
    display: block;
  }
  iframe {
    inline-size: 100%;
    block-size: 100%;
    border: 0;
    opacity: 0;
    pointer-events: none;
  }
  .inline iframe {
    block-size: 600px;
  }
  [data-visible] iframe {
    opacity: 1;
    pointer-events: auto;
    transition: opacity 160ms;
  }
  .skeleton {
    display: grid;
    gap: calc(var(--_space) * 2);
    align-content: start;
    padding: calc(var(--_space) * 4);
  }
  .skeleton i {
    block-size: 1.1em;
    inline-size: 90%;
    border-radius: 4px;
    background: color-mix(in oklab, var(--_text) 9%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .skeleton i:first-child {
    block-size: 2em;
    inline-size: 55%;
  }
  .skeleton i:last-child {
    inline-size: 40%;
  }
  .waiting {
    text-align: center;
    color: var(--_muted);
    animation: appear 160ms 400ms both;
  }
  footer {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 2);
    align-items: center;
    justify-content: space-between;
    padding: calc(var(--_space) * 1.5) calc(var(--_space) * 2);
    border-block-start: 1px solid var(--_border);
  }
  footer .button,
  .question .button {
    display: inline-grid;
    align-items: center;
  }
  .question {
    max-inline-size: min(28em, 100vw - 48px);
    padding: calc(var(--_space) * 3);
    background: var(--_surface);
    color: var(--_text);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .question p {
    margin-block: var(--_space) calc(var(--_space) * 2.5);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_space) * 1.5);
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @media (max-width: 640px) {
    dialog.surface {
      inline-size: 100vw;
      block-size: 100vh;
      block-size: 100dvh;
      border: 0;
      border-radius: 0;
      margin: 0;
    }
    header {
      grid-template-columns: 1fr auto;
    }
    .host,
    .window {
      grid-area: 3 / 1 / auto / -1;
      justify-self: start;
      max-inline-size: 49%;
    }
    .window {
      justify-self: end;
      text-align: end;
    }
    .close {
      grid-area: 1 / 2 / 3 / 3;
      justify-self: end;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::-webkit-progress-value {
      animation: none !important;
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    progress::-webkit-progress-value {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
