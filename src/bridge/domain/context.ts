import type { Logger } from 'pino';
import type { ProducerRegistry } from '../registry/producer-registry.js';
import type { Growing } from '../store/retention-store.js';
import type { Database, DatabaseTransaction } from '../store/tables/typed-database.js';
import type { Limiter } from './limits/limiter.js';
import type { Keys } from './keys/keys.js';
import type { Links } from './keys/links.js';
import type { TakeTurn } from './turns.js';

/** What the rules of the domain work with. Passed in everywhere, so that tests choose the clock and the database. */
export interface BridgeContext {
  db: Database;
  keys: Keys;
  links: Links;
  /** What is known of producers. */
  registry: ProducerRegistry;
  /** Counts against the rate limits. */
  limiter: Limiter;
  /** The time now. */
  clock: () => Date;
  log: Logger;
  /** How long an `applicationUrl` lives, in seconds (`BRIDGE_SESSION_TTL`). */
  sessionTtlSeconds: number;
  /** How long an access token lives, in seconds (`BRIDGE_TOKEN_TTL`). */
  tokenTtlSeconds: number;
  /** How many days after its end what was typed in an application is erased (`BRIDGE_RETENTION_DAYS`); never when undefined. */
  retentionDays: number | undefined;
  /** Whether test mode's webhooks may go to loopback (`BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`). */
  areLoopbackWebhooksAllowed: boolean;
  /** For how many days what grows without end is kept; 0 for ever. */
  retention: Readonly<Record<Growing, number>>;
  /** The public address of the API, without a slash at the end (`BRIDGE_URL`). */
  bridgeUrl: string;
  /** The public origin of the hosted application (`APPLY_URL`). */
  applyUrl: string;
  /** Lets work of one kind and owner run one after the other on this instance. */
  takeTurn: TakeTurn;
  /** Wakes the webhook worker of this instance after a commit. Other instances poll. */
  wakeOutbox: () => void;
  /** Runs something later, durably, in the caller's transaction (pg-boss). */
  schedule: (trx: DatabaseTransaction, job: DepartmentJob, afterSeconds: number) => Promise<void>;
  /** Wakes the workers of bulk onboarding after a commit. Without it they find the work at their next poll. */
  wakeBulk: () => void;
}

/** A simulated department is to look at an application. Test mode only. */
export interface DepartmentJob {
  applicationId: string;
  state: string;
  /** The status to give, unless the application has moved on meanwhile. */
  status: 'approved' | 'denied' | 'requires_action';
}
