import type { Mode } from '../../../contract/index.js';
import type { FilingRow } from '../../store/filings/filing-store.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import { type CorrectionProposal, proposalContent } from '../second-person/proposals.js';
import type { CommittingForm } from '../shown/shown.js';

/** A state and its filing, as an operator decides on them. */
export interface DecidableState {
  mode: Mode;
  /** Whether the data of the user was erased, so that it cannot be filed again. */
  isErased: boolean;
  state: ApplicationStateRow;
  /** `undefined` where the department is simulated. */
  filing: FilingRow | undefined;
  /** Whether the state has returned no reference of a filing, so that a decision needs an override. */
  isUnfiled: boolean;
  /** Whether the user paid the fees, and can be asked for a further one. */
  isPaidByUser: boolean;
  /** The lines of authority that an approval can name, with their English names. */
  lines: { id: string; name: string }[];
}

/** The decision of a state. */
export const decisionForm: CommittingForm<DecidableState> = {
  name: 'decision',
  contentOf: stateOf,
};

/** The correction of a decision. */
export const correctionForm: CommittingForm<DecidableState> = {
  name: 'correction',
  contentOf: correctedOf,
};

/** The confirmation of a correction that another operator has proposed. */
export const correctionConfirmationForm: CommittingForm<DecidableState & { proposal: CorrectionProposal }> = {
  name: 'correctionConfirmation',
  contentOf: ({ proposal, ...decidable }) => ({ ...correctedOf(decidable), ...proposalContent(proposal) }),
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

/** The claim of a colleague, which a supervisor ends. */
export const claimForm: CommittingForm<FilingRow> = {
  name: 'claim',
  contentOf: (filing) => ({ ...idsOf(filing), serial: filing.serial, claimedBy: filing.claimedBy }),
};

function stateOf({ state, filing }: Pick<DecidableState, 'state' | 'filing'>) {
  return {
    ...idsOf(state),
    status: state.status,
    reason: state.reason,
    serial: state.actionSerial,
    since: state.updatedAt,
    reference: filing?.reference,
  };
}

function correctedOf({ state, filing }: Pick<DecidableState, 'state' | 'filing'>) {
  return { ...stateOf({ state, filing }), license: state.issuedLicense };
}

function idsOf({ applicationId, state }: { applicationId: string; state: string }) {
  return { applicationId, state };
}
