import type { Links } from '../domain/links.js';
import type { ClaimedEvent } from '../store/outbox-store.js';

/** The body of a webhook. The link of a request for action is derived here: no link of ours is stored. */
export function webhookBody(event: ClaimedEvent, links: Links): string {
  const { id, type, createdAt } = event;
  const data = type === 'application.requires_action' ? withActionUrl(event, links) : event.data;
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data });
}

function withActionUrl({ applicationId, data }: ClaimedEvent, links: Links): Record<string, unknown> {
  const { actionSerial, actionUrl, ...rest } = data as {
    state: string;
    actionSerial: number;
    actionUrl?: string;
  };
  return { ...rest, actionUrl: actionUrl ?? links.actionUrl(applicationId, rest.state, actionSerial) };
}
