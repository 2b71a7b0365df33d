import { css } from 'lit';

/** The styles of the list around its cards. */
export const listStyles = css`
  section {
    display: grid;
    gap: calc(var(--_space) * 2);
    align-content: start;
    max-inline-size: 720px;
    /* About one card: what follows the list must not move when the applications arrive. */
    min-block-size: 17em;
  }
  ul {
    display: grid;
    gap: calc(var(--_space) * 2);
    border: 0;
    list-style: none;
  }
  li:focus {
    outline: none;
  }
  .skeleton {
    grid-auto-rows: min-content;
    block-size: 17em;
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
  .quiet {
    --_fill: transparent;
    justify-self: start;
    color: inherit;
    border-color: currentColor;
  }
  @keyframes breathe {
    from {
      opacity: 0.4;
    }
  }
  @media (max-width: 640px) {
    .quiet {
      inline-size: 100%;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    i {
      animation: none;
    }
  }
`;
