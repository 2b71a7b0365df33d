import { css } from 'lit';

/** The look of the status list and of a failure. Adopted when they are loaded. */
export const statusStyles = css`
  h2:focus {
    outline: none;
  }
  li {
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: 0 calc(var(--_space) * 1.25);
    align-items: center;
    padding-block: calc(var(--_space) * 1.5);
    border-block-end: 1px solid var(--_border);
  }
  li:last-child {
    border: 0;
    padding-block-end: 0;
  }
  li svg,
  .status {
    color: var(--_muted);
  }
  .status {
    text-align: end;
    font-weight: 600;
  }
  .date,
  .ask {
    grid-column: 2 / -1;
    font-size: 0.9em;
  }
  .ask {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: var(--_space) calc(var(--_space) * 2);
    align-items: center;
    margin-block-start: var(--_space);
  }
  .ask .button {
    grid-column: 2;
  }
  [data-status='approved'] :is(svg, .status) {
    color: var(--_success);
  }
  [data-status='denied'] :is(svg, .status),
  .failure {
    color: var(--_danger);
  }
  [data-status='requires_action'] :is(svg, .status) {
    color: var(--_warning);
  }
  @media (max-width: 480px) {
    .ask {
      grid-template-columns: 1fr;
    }
    .ask .button {
      grid-column: 1;
    }
  }
`;
