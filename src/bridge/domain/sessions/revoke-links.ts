import { lockOwnApplication } from '../../store/applications/application-store.js';
import { endLinks } from '../../store/sessions/session-store.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';

/** A revocation of the links of an application. */
export interface RevokedLinks {
  applicationId: string;
  actor: AuditActor;
  /** Why, for the audit trail. */
  reason: string;
}

/**
 * Ends every link of an application at once, with its receipt, such as after one was stolen. Saved
 * data stays: a new session of the same application continues. Resolves with `undefined` when there
 * is no such application.
 */
export function revokeLinks(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  { applicationId, actor, reason }: RevokedLinks,
): Promise<true | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    if (application === undefined) return undefined;
    const { agencyId, mode } = application;
    await endLinks(trx, applicationId, context.clock());
    const what = { agencyId, mode, actor, action: 'links.revoked', subject: applicationId } as const;
    await recordAudit(trx, context, { ...what, result: 'done', note: reason });
    return true;
  });
}
