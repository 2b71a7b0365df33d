import type { Logger } from 'pino';
import type { DocumentScanner } from '../ports/document-scanner.js';
import type { DocumentStorage } from '../ports/document-storage.js';
import type { Mode, StateCode } from '../../contract/index.js';
import type { FilingGateway } from '../ports/filing-gateway.js';
import type { Mailer } from '../ports/mailer.js';
import type { PaymentProcessor } from '../ports/payment-processor.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';
import type { RetainedKind } from '../store/retention/retention-store.js';
import type { Database } from '../store/tables/typed-database.js';
import type { Catalogues } from './catalogue/catalogues.js';
import type { Keys, Links } from './keys/keys.js';
import type { ScheduleJob } from './jobs.js';
import type { Limiter } from './limits/limiter.js';
import type { ClaimSettings } from './operators/operator-claims.js';
import type { SecondPersonTask } from './second-person/tasks.js';
import type { WithMutex } from './mutex.js';

/** The adapters of the operator, or those of the bridge. */
interface Ports {
  registry: ProducerRegistry;
  /**
   * The storage of documents and the malware scanner; documents are not scanned when `scanner` is
   * undefined.
   */
  documents: { storage: DocumentStorage; scanner: DocumentScanner | undefined };
  /** The filing of live applications; live sessions are refused when it is undefined. */
  filingGateway: FilingGateway | undefined;
  /** Sends mails to users; `undefined` where the bridge sends none. */
  mailer: Mailer | undefined;
  /** The payment processor of a mode; `undefined` where there is none. */
  processorFor: (mode: Mode) => PaymentProcessor | undefined;
}

/** The work that follows a commit. */
interface Workers {
  schedule: ScheduleJob;
  /** Wakes the webhook worker of this instance after a commit. Other instances poll. */
  wakeOutbox: () => void;
  /**
   * Wakes the workers of bulk onboarding after a commit. Otherwise they find the work at their next
   * poll.
   */
  wakeBulk: () => void;
}

/**
 * The dependencies of the domain. Passed to every function, so that tests can choose the clock and
 * the database.
 */
export interface BridgeContext extends Ports, Workers {
  db: Database;
  keys: Keys;
  links: Links;
  /** The releases of the catalogue. */
  catalogues: Catalogues;
  limiter: Limiter;
  /** Runs work of one kind and owner sequentially on this instance. */
  withMutex: WithMutex;
  /** Returns the current time. */
  clock: () => Date;
  log: Logger;
  settings: BridgeSettings;
}

/** The settings of the environment that the domain uses. */
export interface BridgeSettings {
  /** The public URL of the API, without a trailing slash (`BRIDGE_URL`). */
  bridgeUrl: string;
  /** The public origin of the hosted application (`APPLY_URL`). */
  applyUrl: string;
  /** The lifetime of an `applicationUrl`, in seconds (`BRIDGE_SESSION_TTL`). */
  sessionTtlSeconds: number;
  /** The lifetime of an access token, in seconds (`BRIDGE_TOKEN_TTL`). */
  tokenTtlSeconds: number;
  /**
   * The number of days after which the data of an ended application is erased
   * (`BRIDGE_RETENTION_DAYS`); never when undefined.
   */
  retentionDays: number | undefined;
  /** The number of days for which growing tables keep their rows; 0 for ever. */
  retention: Readonly<Record<RetainedKind, number>>;
  /** Whether live sessions can use unverified fees (`BRIDGE_ALLOW_SAMPLE_FEES`). */
  areSampleFeesAllowed: boolean;
  /** Whether webhooks of test mode may be sent to loopback (`BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`). */
  areLoopbackWebhooksAllowed: boolean;
  /** Whether every operator with a password needs an authenticator app (`BRIDGE_REQUIRE_TOTP`). */
  isTotpRequired: boolean;
  /** The states whose applications of test mode people file (`BRIDGE_TEST_FILING`). */
  testFiling: readonly StateCode[];
  /** The number of days in which a filing is to be filed, for the console (`BRIDGE_FILING_DAYS`). */
  filingDays: number;
  /** The changes that a second operator has to confirm (`BRIDGE_SECOND_PERSON`). */
  secondPerson: readonly SecondPersonTask[];
  /**
   * How operators of an identity provider get their role and agencies (`CONSOLE_OIDC_ISSUER`);
   * `undefined` where every operator signs in with a password.
   */
  singleSignOn: ClaimSettings | undefined;
}
