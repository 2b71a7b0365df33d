import type { Application, ApplicationState } from '../../../contract/index.js';
import { findApplicationWithStates } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import type { BridgeContext } from '../context.js';
import { progressAt } from './steps.js';

/**
 * Reads an application for `getApplication` (operation 19); `undefined` when the owner has none
 * with this id.
 */
export async function readApplication(
  context: Pick<BridgeContext, 'db' | 'links'>,
  owner: Owner,
  applicationId: string,
): Promise<Application | undefined> {
  const found = await findApplicationWithStates(context.db, owner, applicationId);
  if (found === undefined) return undefined;
  const { application, states } = found;
  const byState = new Map(states.map((row) => [row.state, row]));
  return {
    applicationId: application.id,
    sessionId: application.sessionId,
    userId: application.userId,
    applicationType: application.applicationType,
    licenseType: application.licenseType,
    ...(application.submittedAt === null ? {} : { submittedAt: application.submittedAt.toISOString() }),
    progress: progressAt(application.step, application.paymentMethod),
    // In the order of the partner's request.
    states: application.states.flatMap((state) => {
      const row = byState.get(state);
      return row === undefined ? [] : [describeState(context, row)];
    }),
  };
}

function describeState({ links }: Pick<BridgeContext, 'links'>, row: ApplicationStateRow): ApplicationState {
  const { applicationId, state, status, actionSerial: serial, actionHash: hash } = row;
  return {
    state,
    status,
    updatedAt: row.updatedAt.toISOString(),
    ...(status === 'requires_action'
      ? { actionUrl: row.actionUrlOverride ?? links.actionUrl({ applicationId, state, serial }, hash) }
      : {}),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...row.issuedLicense,
  };
}
