import type { WebhookEvent } from '../../../src/contract/index.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import type { WalkedApplication } from './applicants.js';
import type { Arrival } from './fickle-receiver.js';

/** The results of the events of all applications. */
export interface WebhookVerdict {
  events: number;
  arrivals: number;
  /** Repeated arrivals of an accepted event, which at-least-once delivery allows. */
  duplicates: number;
  /** Events that were never accepted, or never written. */
  lost: number;
  /** Arrivals of an event after a later one of its application. */
  orderViolations: number;
  /** One sentence per violation. */
  wrong: string[];
}

const steps = ['profile', 'identity', 'background', 'disclosures', 'review'];

/**
 * The events of every application, in this order. The decisions of departments follow in any order.
 */
const story = ['session_started', ...steps.map((step) => `progress_updated ${step}`), 'submitted'];

/** Compares the arrivals with the actions. */
export async function checkWebhooks(
  db: Database,
  applications: readonly WalkedApplication[],
  arrivals: readonly Arrival[],
): Promise<WebhookVerdict> {
  const rows = await db.selectFrom('webhookEvent').select(['id', 'seq', 'deadAt']).execute();
  const places = new Map(rows.map(({ id, seq }) => [id, seq]));
  const accepted = new Set<string>();
  const verdict: WebhookVerdict = {
    events: rows.length,
    arrivals: arrivals.length,
    duplicates: 0,
    lost: 0,
    orderViolations: 0,
    wrong: [],
  };
  const told = new Map<string, WebhookEvent[]>();
  const furthest = new Map<string, number>();
  for (const { event, isAccepted } of arrivals) {
    const place = places.get(event.id);
    if (place === undefined || event.type === 'producer.updated') {
      verdict.wrong.push(`${event.id} arrived, but was never written.`);
      continue;
    }
    const { applicationId } = event.data;
    if (place < (furthest.get(applicationId) ?? 0)) verdict.orderViolations += 1;
    furthest.set(applicationId, Math.max(place, furthest.get(applicationId) ?? 0));
    if (accepted.has(event.id)) verdict.duplicates += 1;
    else if (isAccepted) {
      accepted.add(event.id);
      told.set(applicationId, [...(told.get(applicationId) ?? []), event]);
    }
  }
  verdict.lost += rows.filter(({ id }) => !accepted.has(id)).length;
  const dead = rows.filter(({ deadAt }) => deadAt !== null).length;
  if (dead > 0) verdict.wrong.push(`${dead} events were dead-lettered.`);
  for (const { applicationId, isDecided } of applications) {
    const events = (told.get(applicationId) ?? []).map(nameOf);
    const expected = [...story, ...(isDecided ? ['status_changed', 'status_changed'] : [])];
    if (events.join() === expected.join()) continue;
    verdict.lost += Math.max(0, expected.length - events.length);
    verdict.wrong.push(`${applicationId} told ${events.join(', ') || 'nothing'}.`);
  }
  if (verdict.lost > 0) verdict.wrong.push(`${verdict.lost} events were lost.`);
  if (verdict.orderViolations > 0) verdict.wrong.push(`${verdict.orderViolations} events came out of order.`);
  return verdict;
}

function nameOf({ type, data }: WebhookEvent): string {
  const name = type.replace('application.', '');
  return 'step' in data ? `${name} ${data.step}` : name;
}
