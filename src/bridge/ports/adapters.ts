import type { DocumentScanner } from './document-scanner.js';
import type { DocumentStorage } from './document-storage.js';
import type { FilingGateway } from './filing-gateway.js';
import type { KeyProvider } from './key-provider.js';
import type { Mailer } from './mailer.js';
import type { PaymentProcessor } from './payment-processor.js';
import type { ProducerRegistry } from './producer-registry.js';

/**
 * The adapters that an operator can use instead of the built-in ones, by port. Of an error that an
 * adapter throws, the bridge keeps only a `code` that is a short word, such as `ECONNREFUSED`: its
 * text may contain personal data, cards or keys. An adapter logs the rest itself, if it may be
 * logged.
 */
export interface Adapters {
  /**
   * Charges the fees, in the modes that it serves. Default: none in live mode, and test cards in
   * test mode.
   */
  paymentProcessor?: PaymentProcessor | undefined;
  /**
   * Files live applications with the departments. Default: people file them in the console, unless
   * `BRIDGE_FILING` is `none`.
   */
  filingGateway?: FilingGateway | undefined;
  /** Stores documents. Default: a table of the bridge's database. */
  documentStorage?: DocumentStorage | undefined;
  /** Scans documents for malware. Default: none. */
  documentScanner?: DocumentScanner | undefined;
  /** Sends mails to users. Default: none, unless `BRIDGE_SMTP_URL` is set. */
  mailer?: Mailer | undefined;
  /** Reads records of producers. Default: tables of the bridge's database. */
  producerRegistry?: ProducerRegistry | undefined;
  /** Loads the keys. Default: `BRIDGE_SECRET_KEY`, or the data folder. */
  keyProvider?: KeyProvider | undefined;
}

/** The required methods of each adapter. */
const methods = {
  paymentProcessor: ['serves', 'authorize', 'lookUp', 'capture', 'void', 'refund'],
  filingGateway: ['serves', 'submit', 'lookUp'],
  documentStorage: ['put', 'get', 'remove'],
  documentScanner: ['scan'],
  mailer: ['send'],
  producerRegistry: ['findKnown', 'findProducers', 'findNames', 'findActiveLicenses', 'findNpn', 'findUpdate'],
  keyProvider: ['loadKeys'],
} as const satisfies Record<keyof Adapters, readonly string[]>;

/** The name of a port. */
export type PortName = keyof Adapters;

/** The names of all ports. */
export const portNames = Object.keys(methods) as readonly PortName[];

/** The other properties, with their expected values. */
const values: Partial<Record<PortName, [key: string, isRight: (value: unknown) => boolean, expected: string]>> = {
  paymentProcessor: ['cardEntry', isOneOf('page', 'fields', 'typed'), '"page", "fields" or "typed"'],
  filingGateway: ['kind', isOneOf('manual', 'automatic'), '"manual" or "automatic"'],
  keyProvider: ['source', (value) => typeof value === 'string' && value !== '', 'a text'],
};

/**
 * Returns the problems of adapters, one sentence each; empty when they can be used.
 * `licensing-bridge/conformance` tests their contracts.
 */
export function findAdapterProblems(given: object): string[] {
  return Object.entries(given).flatMap(([name, adapter]: [string, unknown]) => {
    if (!isAdapterName(name)) return [`${name} is not an adapter; expected ${portNames.join(', ')}`];
    return adapter === undefined ? [] : problemsOf(name, adapter);
  });
}

function problemsOf(name: PortName, adapter: unknown): string[] {
  if (typeof adapter !== 'object' || adapter === null) return [`${name}: expected an object`];
  const parts = adapter as Record<string, unknown>;
  const [key, isRight, expected] = values[name] ?? [];
  if (key !== undefined && isRight?.(parts[key]) === false) return [`${name}.${key}: expected ${String(expected)}`];
  if (name === 'filingGateway' && parts['kind'] === 'manual') return [];
  const missing = methods[name].filter((method) => typeof parts[method] !== 'function');
  const problems = missing.map((method) => `${name} has no method ${method}`);
  if (parts['cardEntry'] === 'fields' && typeof parts['fields'] !== 'object') {
    problems.push(`${name}.fields: expected the fields of the processor, because cardEntry is "fields"`);
  }
  return problems;
}

function isAdapterName(name: string): name is PortName {
  return Object.hasOwn(methods, name);
}

function isOneOf(...allowed: string[]): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && allowed.includes(value);
}
