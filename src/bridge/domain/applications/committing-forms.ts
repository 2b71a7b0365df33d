import type { Language } from '../../../contract/index.js';
import type { Database } from '../../store/tables/typed-database.js';
import { listDocuments } from '../documents/documents.js';
import { ofApplication } from '../documents/target.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import { feesOfSession } from '../payments/session-fees.js';
import type { CommittingForm } from '../shown/shown.js';
import type { ApplySession } from './session.js';
import { signedSteps } from './signed-data.js';

/** All that a signature covers. */
export interface Reviewed {
  session: ApplySession;
  /** The language of the statements. */
  language: Language;
  /** The documents of the application. */
  documents: readonly { id: string }[];
}

/** Reads what the review of an application stands for. */
export async function readReviewed(db: Database, session: ApplySession, language: Language): Promise<Reviewed> {
  return { session, language, documents: await listDocuments({ db }, session.application.id, ofApplication) };
}

/** The review. */
export const reviewForm: CommittingForm<Reviewed> = {
  name: 'review',
  contentOf: ({ session, language, documents }) => ({
    ...applicationOf(session),
    language,
    documents: documents.map(({ id }) => id),
    steps: signedSteps.map((step) => {
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

/** The type, the states and the fees of an application. */
export function applicationOf(session: ApplySession) {
  const { id, applicationType, licenseType, states, paymentMethod } = session.application;
  const catalogue = session.pinned.version;
  return { id, applicationType, licenseType, states, paymentMethod, catalogue, fees: feesOfSession(session).lines };
}
