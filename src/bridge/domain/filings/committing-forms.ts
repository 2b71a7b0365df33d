import type { FilingRow } from '../../store/filings/filing-store.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import type { CommittingForm } from '../shown/shown.js';

/** A state and its filing, as an operator decides on them. */
export interface DecidableState {
  state: ApplicationStateRow;
  /** Live applications only. */
  filing: FilingRow | undefined;
  /** Whether the state has returned no reference in live mode, so that a decision needs an override. */
  isUnfiled: boolean;
  /** The lines of authority that an approval can name, with their English names. */
  lines: { id: string; name: string }[];
}

/** The decision of a state. */
export const decisionForm: CommittingForm<DecidableState> = {
  name: 'decision',
  contentOf: ({ state, filing }) => ({
    ...idsOf(state),
    status: state.status,
    reason: state.reason,
    serial: state.actionSerial,
    since: state.updatedAt,
    reference: filing?.reference,
  }),
};

/** The reference of a filing. */
export const filingForm: CommittingForm<FilingRow> = {
  name: 'filing',
  contentOf: (filing) => ({
    ...idsOf(filing),
    serial: filing.serial,
    status: filing.status,
    claimedBy: filing.claimedBy,
    reference: filing.reference,
  }),
};

function idsOf({ applicationId, state }: { applicationId: string; state: string }) {
  return { applicationId, state };
}
