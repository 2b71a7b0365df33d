import { updateAccount } from '../../../src/bridge/domain/accounts/agency.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { type ClaimedEvent, settleEvent } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { now } from './streams.js';

/** The context of the functions that change an endpoint. */
export const contextOf = (db: Database) => ({
  db,
  clock: () => now,
  actor: 'cli:tester' as const,
  wakeOutbox: () => {},
});

const caller = {
  agencyId: 'a',
  mode: 'test',
  credentialId: 'c',
  tokenHash: Buffer.alloc(32),
  isDeactivated: false,
} as const;

/** Agency `a` changes the URL of its account. */
export const setUrl = (db: Database, webhookUrl: string | null) =>
  updateAccount({ ...contextOf(db), settings: { areLoopbackWebhooksAllowed: false } }, caller, { webhookUrl });

/** A try that was answered with 410. */
export const attempt = { attemptedAt: now, status: 410, error: 'status', durationMs: 1 };

/** Settles an event whose URL has answered 410. */
export const settleGone = (db: Database, event: ClaimedEvent) =>
  settleEvent(db, { event, outcome: { kind: 'gone' }, attempt }, now);
