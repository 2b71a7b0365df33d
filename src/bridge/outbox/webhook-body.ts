import type { StateCode } from '../../contract/index.js';
import type { Database } from '../store/tables/typed-database.js';
import type { Links } from '../domain/keys/links.js';
import { findApplicationState } from '../store/applications/application-state-store.js';
import type { ClaimedEvent } from '../store/webhooks/outbox-store.js';

/** The body of a webhook. The link of a request for action is derived here: no link of ours is stored. */
export async function webhookBody(db: Database, event: ClaimedEvent, links: Links): Promise<string> {
  const { id, type, createdAt } = event;
  const data = type === 'application.requires_action' ? await withActionUrl(db, event, links) : event.data;
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data });
}

async function withActionUrl(
  db: Database,
  { applicationId, data }: ClaimedEvent,
  links: Links,
): Promise<Record<string, unknown>> {
  const { actionSerial, actionUrl, ...rest } = data as { state: StateCode; actionSerial: number; actionUrl?: string };
  if (actionUrl !== undefined) return { ...rest, actionUrl };
  const asked = await findApplicationState(db, applicationId, rest.state);
  // A department that has asked again since has a new link; the one of this event opens nothing any more.
  const hash = asked?.action_serial === actionSerial ? asked.action_hash : null;
  return { ...rest, actionUrl: links.actionUrl({ applicationId, state: rest.state, serial: actionSerial }, hash) };
}
