import type { Logger } from 'pino';
import { readClaimSettings } from '../config/environment-oidc.js';
import type { Environment } from '../config/environment.js';
import { createCatalogues } from '../domain/catalogue/catalogues.js';
import type { BridgeContext, BridgeSettings } from '../domain/context.js';
import type { Links } from '../domain/keys/keys.js';
import { createLimiter } from '../domain/limits/limiter.js';
import { createMutex } from '../domain/mutex.js';
import { chooseProcessors } from '../domain/payments/choose-processors.js';
import type { DocumentStorage } from '../ports/document-storage.js';
import type { GuardedAdapters } from '../ports/guard-adapters.js';
import { manualFiling } from '../ports/filing-gateway.js';
import type { PaymentProcessor } from '../ports/payment-processor.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';
import { createTableStorage } from '../store/documents/document-store.js';
import { storeShippedCatalogue, type BridgeCore } from './core.js';

/** The URLs at which a bridge is reached. */
export interface PublicUrls {
  bridgeUrl: string;
  applyUrl: string;
}

/** The parts of the context of a serving bridge. */
export interface ContextParts {
  environment: Environment;
  adapters: GuardedAdapters;
  core: BridgeCore;
  urls: PublicUrls;
  registry: ProducerRegistry;
  links: Links;
  clock: () => Date;
  log: Logger;
  /** The bridge's own processor of test mode, where the operator has none for it. */
  testProcessor: PaymentProcessor | undefined;
  /** The workers that start after the context, and use it. */
  workers: Pick<BridgeContext, 'schedule' | 'wakeOutbox' | 'wakeBulk'>;
}

/** Creates the context of a serving bridge. An adapter of the operator replaces the bridge's own. */
export async function createContext(parts: ContextParts): Promise<BridgeContext> {
  const { environment, adapters, core, urls, registry, links, clock, log, testProcessor, workers } = parts;
  const { db, keys } = core;
  const points = { requests: environment.BRIDGE_RATE_LIMIT, pages: environment.BRIDGE_PAGE_LIMIT };
  return {
    registry,
    documents: { storage: storageOf(adapters, createTableStorage(db)), scanner: adapters.documentScanner },
    filingGateway: adapters.filingGateway ?? (environment.BRIDGE_FILING === 'manual' ? manualFiling() : undefined),
    mailer: adapters.mailer,
    processorFor: chooseProcessors(adapters.paymentProcessor, testProcessor),
    ...workers,
    db,
    keys,
    links,
    catalogues: createCatalogues(await storeShippedCatalogue({ db, clock })),
    limiter: createLimiter({ db, keys, log, points }),
    withMutex: createMutex(),
    clock,
    log,
    settings: settingsOf(environment, urls),
  };
}

/**
 * The storage of documents. Documents that were stored in the database before the operator had
 * another storage stay there, and are read and removed there.
 */
function storageOf({ documentStorage: storage }: GuardedAdapters, database: DocumentStorage): DocumentStorage {
  if (storage === undefined) return database;
  return {
    put: (id, content) => storage.put(id, content),
    get: async (id) => (await storage.get(id)) ?? (await database.get(id)),
    async remove(id) {
      await storage.remove(id);
      await database.remove(id);
    },
  };
}

function settingsOf(environment: Environment, { bridgeUrl, applyUrl }: PublicUrls): BridgeSettings {
  return {
    bridgeUrl,
    applyUrl,
    sessionTtlSeconds: environment.BRIDGE_SESSION_TTL,
    tokenTtlSeconds: environment.BRIDGE_TOKEN_TTL,
    retentionDays: environment.BRIDGE_RETENTION_DAYS,
    retention: {
      deliveredWebhooks: environment.BRIDGE_WEBHOOK_RETENTION_DAYS,
      deadWebhooks: environment.BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS,
      bulkOnboardings: environment.BRIDGE_BULK_RETENTION_DAYS,
      registryUpdates: environment.BRIDGE_UPDATE_RETENTION_DAYS,
      auditEntries: environment.BRIDGE_AUDIT_RETENTION_DAYS,
    },
    areSampleFeesAllowed: environment.BRIDGE_ALLOW_SAMPLE_FEES,
    areLoopbackWebhooksAllowed: environment.BRIDGE_ALLOW_LOOPBACK_WEBHOOKS,
    isTotpRequired: environment.BRIDGE_REQUIRE_TOTP,
    testFiling: environment.BRIDGE_TEST_FILING,
    filingDays: environment.BRIDGE_FILING_DAYS,
    secondPerson: environment.BRIDGE_SECOND_PERSON,
    singleSignOn: readClaimSettings(environment),
  };
}
