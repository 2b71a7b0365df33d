import { css } from 'lit';

/** The styles of the status list and the error card. */
export const statusStyles = css`
  [tabindex]:focus {
    outline: none;
  }
  li {
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: 0 calc(var(--_space) * 1.5);
    align-items: center;
    padding-block: calc(var(--_space) * 1.5);
    border-block-end: var(--_line);
  }
  li:last-child {
    border: 0;
    padding-block-end: 0;
  }
  li > svg,
  .status {
    color: var(--_tone, var(--_muted));
  }
  .status {
    text-align: end;
    font-weight: 600;
  }
  .date,
  .license,
  .request {
    grid-column: 2 / -1;
    font-size: 0.9em;
  }
  .license,
  .receipt p {
    overflow-wrap: anywhere;
  }
  .receipt {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 2);
    align-items: center;
    justify-self: stretch;
    padding-block-start: calc(var(--_space) * 1.5);
    border-block-start: var(--_line);
  }
  .receipt p {
    flex: 1 12em;
    font-size: 0.9em;
  }
  .request {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 2);
    align-items: center;
    margin-block-start: var(--_space);
  }
  .request p {
    flex: 1 12em;
  }
  .request .button {
    margin-inline-start: auto;
  }
  [data-status='approved'] {
    --_tone: var(--licensing-apply-success, light-dark(#1b6e3c, #7ad79c));
  }
  [data-status='denied'] {
    --_tone: var(--licensing-apply-danger, light-dark(#b3261e, #ff9e95));
  }
  [data-status='requires_action'] {
    --_tone: var(--licensing-apply-warning, light-dark(#8a5300, #f5bd63));
  }
  @media (max-width: 640px) {
    :is(.request, .receipt, footer) {
      display: block;
    }
    :is(.request, .receipt, footer) .button {
      inline-size: 100%;
      margin-block-start: var(--_space);
    }
  }
`;
