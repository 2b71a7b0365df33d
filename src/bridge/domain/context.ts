import type { Logger } from 'pino';
import type { DocumentScanner } from '../ports/document-scanner.js';
import type { DocumentStorage } from '../ports/document-storage.js';
import type { Mode, StateCode } from '../../contract/index.js';
import type { FilingGateway } from '../ports/filing-gateway.js';
import type { PaymentProcessor } from '../ports/payment-processor.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';
import type { Growing } from '../store/retention-store.js';
import type { Database, DatabaseTransaction } from '../store/tables/typed-database.js';
import type { Catalogues } from './catalogues.js';
import type { Keys, Links } from './keys/keys.js';
import type { Limiter } from './limits/limiter.js';

/** What the rules of the domain work with. Passed in everywhere, so that tests choose the clock and the database. */
export interface BridgeContext {
  db: Database;
  keys: Keys;
  links: Links;
  /** The releases of the catalogue. */
  catalogues: Catalogues;
  /** Whether live sessions may use fees that were not verified (`BRIDGE_ALLOW_SAMPLE_FEES`). */
  areSampleFeesAllowed: boolean;
  /** What is known of producers. */
  registry: ProducerRegistry;
  /** Where documents are kept, and what looks for malware in them; nothing does where `scanner` is undefined. */
  documents: { storage: DocumentStorage; scanner: DocumentScanner | undefined };
  /** How live applications get to the departments; nothing is taken in live mode where `gateway` is undefined. */
  filing: {
    gateway: FilingGateway | undefined;
    /** Plans work for the gateway, durably, in the caller's transaction. */
    schedule: (trx: DatabaseTransaction, job: FilingJob, afterSeconds: number) => Promise<void>;
  };
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
  withMutex: WithMutex;
  /** Wakes the webhook worker of this instance after a commit. Other instances poll. */
  wakeOutbox: () => void;
  /** Runs something later, durably, in the caller's transaction (pg-boss). */
  schedule: (trx: DatabaseTransaction, job: DepartmentJob, afterSeconds: number) => Promise<void>;
  /** Plans work on a payment, durably, in the caller's transaction. */
  schedulePayment: (trx: DatabaseTransaction, job: PaymentJob, afterSeconds: number) => Promise<void>;
  /** What takes payments in a mode; `undefined` where nothing does. */
  processorFor: (mode: Mode) => PaymentProcessor | undefined;
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

/** Submits or looks up one filing, by the gateway. */
export interface FilingJob {
  task: 'submit' | 'look_up';
  applicationId: string;
  state: StateCode;
  serial: number;
  /** How often it failed before. */
  attempt: number;
}

/** Work on a payment that is done durably, by whichever instance is free. Repeating it does no harm. */
export interface PaymentJob {
  /**
   * - `settle`: an authorization whose outcome is not known is looked up.
   * - `release`: an authorization without a submitted application is voided.
   * - `capture`, `void`, `refund`: the decision is sent to the processor.
   */
  kind: 'settle' | 'release' | 'capture' | 'void' | 'refund';
  paymentId: string;
  /** With `refund`. */
  refundId?: string;
}

/** Runs work when all work of the same name that came before has ended, however that was. */
export type WithMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets work of the same name wait for its turn in this process, where waiting costs nothing. Waiting for a lock of the database
 * holds a connection: a few callers of one agency could hold all of them, and everybody else would wait too. What must not run
 * at once on several instances needs the lock besides.
 */
export function createMutex(): WithMutex {
  const last = new Map<string, Promise<unknown>>();
  return async function withMutex(name, work) {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined);
    last.set(name, ended);
    await ended;
    if (last.get(name) === ended) last.delete(name);
    return result;
  };
}
