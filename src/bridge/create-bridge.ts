/**
 * Runs the Producer Licensing Bridge in your process, with your adapters:
 *
 * ```ts
 * const bridge = await createBridge({ paymentProcessor, documentStorage });
 * const { bridgeUrl } = await bridge.listen();
 * process.once('SIGTERM', () => void bridge.close());
 * ```
 *
 * It is the same service as `licensing-bridge serve`, with the same environment variables. The
 * module comment of each port defines the contract of its adapters;
 * `licensing-bridge/conformance` tests it.
 */
import { readEnvironment } from './config/environment.js';
import { createLogger } from './config/log.js';
import { startBridge, type RunningBridge } from './service/start-bridge.js';
import { findAdapterProblems, type Adapters } from './ports/adapters.js';

export type { ActiveLicense, Language, Mode, ProducerDetail, ProducerSection, StateCode } from '../contract/index.js';
export type { Adapters } from './ports/adapters.js';
export type { DocumentScanner, DocumentType } from './ports/document-scanner.js';
export type { DocumentStorage } from './ports/document-storage.js';
export type {
  AutomaticFilingGateway,
  DepartmentAnswer,
  FiledDocument,
  FilingGateway,
  FilingKey,
  FilingPackage,
  FilingSection,
  ManualFilingGateway,
  SubmitOutcome,
} from './ports/filing-gateway.js';
export { manualFiling } from './ports/filing-gateway.js';
export type { KeyProvider } from './ports/key-provider.js';
export type { Mail, MailAttachment, Mailer, MailOutcome } from './ports/mailer.js';
export type {
  AuthorizeRequest,
  Card,
  DeclineReason,
  OperationOutcome,
  PaymentOutcome,
  PaymentProcessor,
  PaymentSource,
  ProcessorFields,
  ProcessorNotification,
  RefusalReason,
} from './ports/payment-processor.js';
export type { ProducerName, ProducerRegistry, ProducerUpdate, StateLicense } from './ports/producer-registry.js';

/**
 * The parts of a bridge. An adapter that is given takes precedence over the one of
 * `BRIDGE_ADAPTERS`.
 */
export interface BridgeOptions extends Adapters {
  /** The variables of docs/bridge/configure.md as strings. Default: `process.env`. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Receives each line of the log, as JSON, from `LOG_LEVEL` up. Default: standard output. */
  log?: (line: string) => void;
}

/** The URLs of a bridge. */
export interface BridgeUrls {
  /** The public URL of the API. */
  bridgeUrl: string;
  /** The public origin of the hosted application. */
  applyUrl: string;
  /** The public origin of the console; `undefined` without `CONSOLE_PORT`. */
  consoleUrl: string | undefined;
  /** The URL of the Prometheus metrics; `undefined` without `BRIDGE_METRICS_PORT`. */
  metricsUrl: string | undefined;
}

/** A bridge that serves between `listen()` and `close()`. */
export interface Bridge {
  /**
   * Starts the API, the hosted application, the console if it has a port, and the background work.
   * Resolves with the URLs when all of them serve; rejects with an error that says what to change.
   * A second call returns the promise of the first.
   */
  listen(): Promise<BridgeUrls>;
  /**
   * Finishes the current requests and stops permanently. A second call returns the promise of the
   * first.
   */
  close(): Promise<void>;
}

/**
 * Reads the environment and checks the adapters. Resolves with a bridge that does not listen yet.
 *
 * @throws Error that names every wrong variable.
 * @throws TypeError that names every wrong adapter.
 */
export async function createBridge(options: BridgeOptions = {}): Promise<Bridge> {
  const { environment: variables = process.env, log: write, ...adapters } = options;
  const problems = findAdapterProblems(adapters);
  if (problems.length > 0) throw new TypeError(`createBridge: ${problems.join('; ')}.`);
  const environment = readEnvironment(variables, { needsKey: adapters.keyProvider === undefined });
  const log = write && createLogger(environment.LOG_LEVEL, { write });
  let starting: Promise<RunningBridge> | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    // A failed start has closed everything.
    const running = await starting?.catch(() => undefined);
    await running?.stop();
  };
  return {
    async listen() {
      if (closing !== undefined) throw new TypeError('listen: this bridge was closed. Create another one.');
      starting ??= startBridge(environment, { ...adapters, ...(log && { log }) });
      const { bridgeUrl, applyUrl, consoleUrl, metricsUrl } = await starting;
      return { bridgeUrl, applyUrl, consoleUrl, metricsUrl };
    },
    close: () => (closing ??= close()),
  };
}
