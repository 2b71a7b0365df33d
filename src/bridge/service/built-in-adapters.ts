import type { Environment } from '../config/environment.js';
import type { Adapters } from '../ports/adapters.js';

/**
 * Creates the adapters that the environment switches on. Each is loaded, with its library, only
 * where its variables are set. An adapter of `BRIDGE_ADAPTERS`, or one that is given to
 * `createBridge`, takes precedence.
 *
 * @throws Error that says which variable to set.
 */
export async function createBuiltInAdapters(environment: Environment): Promise<Adapters> {
  const { BRIDGE_DOCUMENTS: documents, BRIDGE_S3_ENDPOINT: endpoint, BRIDGE_SCANNER: scanner } = environment;
  const { BRIDGE_SMTP_URL: server, BRIDGE_MAIL_FROM: from } = environment;
  const adapters: Adapters = {};
  if (documents !== undefined) {
    const { createS3Storage } = await import('../adapters/s3-storage.js');
    adapters.documentStorage = await createS3Storage({ ...documents, endpoint });
  }
  if (scanner !== undefined) {
    const { createClamavScanner } = await import('../adapters/clamav-scanner.js');
    adapters.documentScanner = createClamavScanner(scanner);
  }
  if (server !== undefined && from !== undefined) {
    const { createSmtpMailer } = await import('../adapters/smtp-mailer.js');
    adapters.mailer = createSmtpMailer({ server, from });
  }
  if (environment.BRIDGE_PAYMENT === 'stripe') {
    const { createStripeProcessor } = await import('../adapters/stripe/stripe-processor.js');
    adapters.paymentProcessor = createStripeProcessor({
      live: stripeKeys(environment.BRIDGE_STRIPE_SECRET_KEY, environment.BRIDGE_STRIPE_WEBHOOK_SECRET),
      test: stripeKeys(environment.BRIDGE_STRIPE_TEST_SECRET_KEY, environment.BRIDGE_STRIPE_TEST_WEBHOOK_SECRET),
      methods: environment.BRIDGE_STRIPE_METHODS,
      apiUrl: environment.BRIDGE_STRIPE_API_URL,
    });
  }
  return adapters;
}

function stripeKeys(secretKey: string | undefined, webhookSecret: string | undefined) {
  return secretKey === undefined ? undefined : { secretKey, webhookSecret };
}
