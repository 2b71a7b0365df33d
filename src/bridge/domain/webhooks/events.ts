import type { ApplicationEventType, WebhookEventExtras } from '../../../contract/index.js';
import { shareAccountAddress } from '../../store/accounts/agency-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { appendEvent } from '../../store/webhooks/stream-store.js';
import { randomId } from '../keys/keys.js';
import { currentRequestId, currentTraceparent } from '../request-id.js';

/**
 * The stored data of each type of event of an application. Links of the bridge are not stored: they
 * are derived from `actionSerial` at delivery. `actionUrl` is only stored when the operator gave a URL
 * of the department.
 */
export type StoredExtras = Omit<WebhookEventExtras, 'application.requires_action'> & {
  'application.requires_action': { state: string; reason: string; actionSerial: number; actionUrl?: string };
};

/**
 * Writes an event of an application in the transaction of the change that caused it. It is sent to
 * the session's webhook URL, else to the account's; without either it is not written. Call
 * `context.wakeOutbox()` after the commit; otherwise it waits for the next poll.
 */
export async function enqueueEvent<Type extends ApplicationEventType>(
  trx: DatabaseTransaction,
  application: Pick<ApplicationRow, 'id' | 'sessionId' | 'agencyId' | 'mode' | 'userId' | 'webhookUrl'>,
  type: Type,
  extras: StoredExtras[Type],
  now: Date,
): Promise<void> {
  const { agencyId, mode } = application;
  const url = application.webhookUrl ?? (await shareAccountAddress(trx, { agencyId, mode }));
  if (url === null) return;
  const data = {
    applicationId: application.id,
    sessionId: application.sessionId,
    userId: application.userId,
    ...extras,
  };
  await appendEvent(trx, {
    applicationId: application.id,
    agencyId,
    mode,
    url,
    followsAccount: application.webhookUrl === null,
    id: randomId('evt'),
    type,
    data,
    requestId: currentRequestId(),
    traceparent: currentTraceparent(),
    now,
  });
}
