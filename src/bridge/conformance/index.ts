/**
 * Tests the contracts of the bridge's ports with `node:test`, for your adapters:
 *
 * ```ts
 * import { testDocumentStorage } from 'licensing-bridge/conformance';
 *
 * testDocumentStorage('on our object store', async () => {
 *   const bucket = await createTestBucket();
 *   return { storage: createStorage(bucket), other: createStorage(bucket), stop: () => bucket.remove() };
 * });
 * ```
 *
 * Run the file with `node --test`. The built-in adapters pass the same tests.
 */
export type { DocumentStorageUnderTest } from './document-storage.js';
export { testDocumentStorage } from './document-storage.js';
export type { FilingGatewayUnderTest } from './filing-gateway.js';
export { testFilingGateway } from './filing-gateway.js';
export type { KeyProviderUnderTest } from './key-provider.js';
export { testKeyProvider } from './key-provider.js';
export type { MailerUnderTest, ReceivedMail } from './mailer.js';
export { testMailer } from './mailer.js';
export type { PaymentProcessorUnderTest } from './payment-processor.js';
export { testPaymentProcessor } from './payment-processor.js';
export type { ProducerRegistryUnderTest } from './producer-registry.js';
export { testProducerRegistry } from './producer-registry.js';
