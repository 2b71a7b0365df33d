import { css } from 'lit';

/** The styles of the open application. */
export const containerStyles = css`
  .container {
    display: flex;
    padding: 0;
    overflow: hidden;
    flex-direction: column;
  }
  dialog.container:not([open]) {
    display: none;
  }
  .card + .inline {
    margin-block-start: calc(var(--_space) * 2);
  }
  /* In fractions of the window, because vw and dvh are wrong in a page with the zoom property. */
  dialog.container {
    inline-size: 96%;
    block-size: min(920px, 92%);
    max-block-size: none;
    pointer-events: auto;
  }
  dialog::backdrop {
    background: #0c10188c;
  }
  header,
  footer {
    container-type: inline-size;
    position: relative;
    display: grid;
    grid-template-columns: 1fr auto auto;
    gap: 2px var(--_space);
    align-items: center;
    padding: calc(var(--_space) * 1.5) calc(var(--_space) * 2);
    border-block-end: var(--_line);
    font-size: 0.85em;
  }
  footer {
    grid-template-columns: 1fr auto;
    border-block: var(--_line);
    border-block-end: 0;
    font-size: 1em;
  }
  header div + div {
    display: grid;
    justify-items: end;
  }
  .host,
  .request p {
    overflow-wrap: anywhere;
  }
  .host svg {
    margin-inline-end: 0.4em;
    vertical-align: -0.1em;
  }
  .window {
    min-block-size: 24px;
    padding: 0;
    font: inherit;
    text-decoration: underline;
    background: none;
    border: 0;
    cursor: pointer;
  }
  .quiet {
    --_fill: transparent;
    color: inherit;
    border-color: currentColor;
  }
  .close {
    grid-column: 3;
    inline-size: 44px;
    margin-inline: calc(var(--_space) * -1) calc(var(--_space) * -1.5);
    padding: 0;
    font-size: 1.3em;
    border: 0;
  }
  .container :focus-visible {
    outline-offset: -3px;
  }
  progress {
    position: absolute;
    inset: auto 0 -1px;
    inline-size: 100%;
    block-size: 3px;
    appearance: none;
    border: 0;
  }
  progress,
  ::-webkit-progress-bar {
    background: transparent;
  }
  ::-webkit-progress-value {
    background: var(--_accent);
    transition: inline-size 180ms;
  }
  ::-moz-progress-bar {
    background: var(--_accent);
  }
  .frame {
    display: grid;
    flex: 1;
    min-block-size: 0;
  }
  .frame > * {
    display: block;
    grid-area: 1 / 1;
  }
  iframe {
    inline-size: 100%;
    block-size: 100%;
    border: 0;
  }
  .inline iframe {
    block-size: 600px;
    min-block-size: 320px;
    max-block-size: 8000px;
  }
  .frame:not([data-revealed]) iframe {
    opacity: 0;
    pointer-events: none;
  }
  iframe:not([sandbox]) {
    visibility: hidden;
  }
  .popup-placeholder,
  .skeleton {
    display: grid;
    justify-items: start;
    gap: calc(var(--_space) * 2);
    padding: calc(var(--_space) * 2);
  }
  i {
    block-size: 1.1em;
    inline-size: 90%;
    border-radius: 4px;
    background: color-mix(in oklab, var(--_text) 9%, transparent);
    animation: breathe 1.6s 400ms ease-in-out infinite alternate both;
  }
  i:first-child {
    block-size: 2em;
    inline-size: 55%;
  }
  .question {
    max-inline-size: min(28em, 100% - 48px);
  }
  .question p {
    margin-block: var(--_space);
  }
  .question .button {
    margin-block-start: var(--_space);
    margin-inline-end: var(--_space);
  }
  @keyframes breathe {
    from {
      opacity: 0.4;
    }
  }
  @media (max-width: 640px) {
    dialog.container {
      inline-size: 100%;
      block-size: 100%;
      border: 0;
      border-radius: 0;
    }
  }
  /*
   * The header is as wide as the element, which may be in a narrow column of a wide page. The
   * header is the container instead of the surface: WebKit first lays a container out without its
   * content, and a page that is scrolled to its end would jump by that height.
   */
  @container (max-width: 640px) {
    header div + div {
      display: flex;
      flex-wrap: wrap;
      gap: 0 var(--_space);
      justify-content: space-between;
      grid-area: 2 / 1 / 3 / 4;
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
    ::-webkit-progress-value {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
