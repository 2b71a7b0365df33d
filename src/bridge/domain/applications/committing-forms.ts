import type { Language } from '../../../contract/index.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import { feesOfSession } from '../payments/session-fees.js';
import type { CommittingForm } from '../shown/shown.js';
import type { ApplySession } from './session.js';

/** The review, with the language of its statements. */
export const reviewForm: CommittingForm<{ session: ApplySession; language: Language }> = {
  name: 'review',
  contentOf: ({ session, language }) => ({
    ...applicationOf(session),
    language,
    steps: (['profile', 'identity', 'background', 'disclosures'] as const).map((step) => {
      const { data, encrypted } = session.saved[step] ?? {};
      // The encrypted text, not the SSN in it: every save has another nonce. A holder of the link
      // could otherwise save a guess and compare the token with that of the user's page.
      return { step, data, encrypted };
    }),
  }),
};

/** The answer to a request of a state, with the documents that belong to it. */
export const actionForm: CommittingForm<{
  state: Pick<ApplicationStateRow, 'applicationId' | 'state' | 'actionSerial' | 'reason'>;
  documents: readonly { id: string }[];
}> = {
  name: 'action',
  contentOf: ({ state, documents }) => ({
    applicationId: state.applicationId,
    state: state.state,
    serial: state.actionSerial,
    reason: state.reason,
    documents: documents.map(({ id }) => id),
  }),
};

/** What an application is for, and what it costs. */
export function applicationOf(session: ApplySession) {
  const { id, applicationType, licenseType, states, paymentMethod } = session.application;
  const catalogue = session.pinned.version;
  return { id, applicationType, licenseType, states, paymentMethod, catalogue, fees: feesOfSession(session).lines };
}
