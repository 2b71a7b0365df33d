import { lockOwnApplication } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { ApiError } from '../errors/api-error.js';

/**
 * Locks an application for a change by an operator. Concurrent changes of one application wait for
 * each other.
 *
 * @param owner Default: any.
 * @throws ApiError `unknown_application`.
 */
export async function lockApplication(
  trx: DatabaseTransaction,
  applicationId: string,
  owner?: Owner,
): Promise<ApplicationRow> {
  const application = await lockOwnApplication(trx, applicationId, owner);
  if (application) return application;
  throw new ApiError('unknown_application', 'applicationId: expected the id of an application');
}
