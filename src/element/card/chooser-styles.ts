import { css } from 'lit';

/** The styles of the choice of states. */
export const chooserStyles = css`
  fieldset,
  details {
    justify-self: stretch;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  details {
    padding-block-start: calc(var(--_space) * 1.5);
    border-block-start: var(--_line);
  }
  legend {
    padding: 0;
    font-weight: 600;
  }
  .options {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(14em, 100%), 1fr));
    gap: 0 calc(var(--_space) * 4);
    /* With room for the outline of the focus. Half a row shows that there are more. */
    max-block-size: 333px;
    margin: 0 -5px;
    padding: 0 5px;
    overflow: auto;
  }
  label {
    display: flex;
    gap: calc(var(--_space) * 1.25);
    align-items: center;
    min-block-size: 44px;
    cursor: pointer;
  }
  input + span {
    flex: 1;
  }
  input {
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
    margin: 0;
    accent-color: var(--_accent);
    cursor: inherit;
  }
  summary {
    inline-size: fit-content;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  [open] > summary {
    margin-block-end: calc(var(--_space) * 2);
  }
  details > p {
    margin-block-start: var(--_space);
  }
  details > .button:last-child {
    margin-block-start: calc(var(--_space) * 1.5);
  }
  @media (max-width: 640px) {
    summary {
      inline-size: 100%;
    }
  }
`;
