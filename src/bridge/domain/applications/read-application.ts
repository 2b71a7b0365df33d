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
    sessionId: application.session_id,
    userId: application.user_id,
    applicationType: application.application_type,
    licenseType: application.license_type,
    ...(application.submitted_at === null ? {} : { submittedAt: application.submitted_at.toISOString() }),
    progress: progressAt(application.step, application.payment_method),
    // In the order of the partner's request.
    states: application.states.flatMap((state) => {
      const row = byState.get(state);
      return row === undefined ? [] : [describeState(context, row)];
    }),
  };
}

function describeState({ links }: Pick<BridgeContext, 'links'>, row: ApplicationStateRow): ApplicationState {
  const { application_id: applicationId, state, status, action_serial: serial, action_hash: hash } = row;
  return {
    state,
    status,
    updatedAt: row.updated_at.toISOString(),
    ...(status === 'requires_action'
      ? { actionUrl: row.action_url_override ?? links.actionUrl({ applicationId, state, serial }, hash) }
      : {}),
    ...(row.reason === null ? {} : { reason: row.reason }),
  };
}
