import type { Logger } from 'pino';
import type { DocumentScanner } from '../ports/document-scanner.js';
import type { DocumentStorage } from '../ports/document-storage.js';
import type { Mode, StateCode } from '../../contract/index.js';
import type { FilingGateway } from '../ports/filing-gateway.js';
import type { PaymentProcessor } from '../ports/payment-processor.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';
import type { RetainedKind } from '../store/retention/retention-store.js';
import type { Database, DatabaseTransaction } from '../store/tables/typed-database.js';
import type { Catalogues } from './catalogue/catalogues.js';
import type { Keys, Links } from './keys/keys.js';
import type { Limiter } from './limits/limiter.js';

/**
 * The dependencies of the domain. Passed to every function, so that tests can choose the clock and
 * the database.
 */
export interface BridgeContext {
  db: Database;
  keys: Keys;
  links: Links;
  /** The releases of the catalogue. */
  catalogues: Catalogues;
  /** Whether live sessions can use unverified fees (`BRIDGE_ALLOW_SAMPLE_FEES`). */
  areSampleFeesAllowed: boolean;
  /** The producer registry. */
  registry: ProducerRegistry;
  /**
   * The storage of documents and the malware scanner; documents are not scanned when `scanner` is
   * undefined.
   */
  documents: { storage: DocumentStorage; scanner: DocumentScanner | undefined };
  /** The filing of live applications; live sessions are refused when `gateway` is undefined. */
  filing: {
    gateway: FilingGateway | undefined;
    /** Schedules a durable job of the gateway, in the caller's transaction. */
    schedule: (trx: DatabaseTransaction, job: FilingJob, afterSeconds: number) => Promise<void>;
  };
  /** The rate limiter. */
  limiter: Limiter;
  /** Returns the current time. */
  clock: () => Date;
  log: Logger;
  /** The lifetime of an `applicationUrl`, in seconds (`BRIDGE_SESSION_TTL`). */
  sessionTtlSeconds: number;
  /** The lifetime of an access token, in seconds (`BRIDGE_TOKEN_TTL`). */
  tokenTtlSeconds: number;
  /**
   * The number of days after which the data of an ended application is erased
   * (`BRIDGE_RETENTION_DAYS`); never when undefined.
   */
  retentionDays: number | undefined;
  /** Whether webhooks of test mode may be sent to loopback (`BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`). */
  areLoopbackWebhooksAllowed: boolean;
  /** The number of days for which growing tables keep their rows; 0 for ever. */
  retention: Readonly<Record<RetainedKind, number>>;
  /** The public URL of the API, without a trailing slash (`BRIDGE_URL`). */
  bridgeUrl: string;
  /** The public origin of the hosted application (`APPLY_URL`). */
  applyUrl: string;
  /** Runs work of one kind and owner sequentially on this instance. */
  withMutex: WithMutex;
  /** Wakes the webhook worker of this instance after a commit. Other instances poll. */
  wakeOutbox: () => void;
  /** Schedules a durable job, in the caller's transaction (pg-boss). */
  schedule: (trx: DatabaseTransaction, job: DepartmentJob, afterSeconds: number) => Promise<void>;
  /** Schedules a durable job for a payment, in the caller's transaction. */
  schedulePayment: (trx: DatabaseTransaction, job: PaymentJob, afterSeconds: number) => Promise<void>;
  /** The payment processor of a mode; `undefined` where there is none. */
  processorFor: (mode: Mode) => PaymentProcessor | undefined;
  /**
   * Wakes the workers of bulk onboarding after a commit. Otherwise they find the work at their next
   * poll.
   */
  wakeBulk: () => void;
}

/** A job of a simulated department. Test mode only. */
export interface DepartmentJob {
  applicationId: string;
  state: string;
  /** The status to set, unless the status has changed meanwhile. */
  status: 'approved' | 'denied' | 'requires_action';
}

/** A job that submits or checks one filing by the gateway. */
export interface FilingJob {
  task: 'submit' | 'look_up';
  applicationId: string;
  state: StateCode;
  serial: number;
  /** The number of failures so far. */
  attempt: number;
}

/** A durable job for a payment, which any instance can run. Idempotent. */
export interface PaymentJob {
  /**
   * - `settle`: looks up an authorization with an unknown result.
   * - `release`: voids an authorization without a submitted application.
   * - `capture`, `void`, `refund`: sends the decision to the processor.
   */
  kind: 'settle' | 'release' | 'capture' | 'void' | 'refund';
  paymentId: string;
  /** With `refund`. */
  refundId?: string;
}

/** Runs work after all earlier work with the same name has succeeded or failed. */
export type WithMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Queues work with the same name in this process, where waiting costs nothing. Waiting for a lock
 * in the database holds a connection: a few callers of one agency could hold all connections and
 * block everyone else. Work that must not run on several instances at once needs the database lock
 * as well.
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
