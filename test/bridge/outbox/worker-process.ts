/** A process with an outbox worker and nothing else, on `DATABASE_URL`. */
import { createKeys, createLinks } from '../../../src/bridge/domain/keys/keys.js';
import { createLogger } from '../../../src/bridge/log.js';
import { createWebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import { createOutboxWorker } from '../../../src/bridge/outbox/worker.js';
import { openDatabase } from '../../../src/bridge/store/database.js';

const clock = () => new Date();
const keys = createKeys(Buffer.alloc(32));
createOutboxWorker({
  db: openDatabase(process.env['DATABASE_URL'] ?? ''),
  keys,
  links: createLinks(keys, 'http://127.0.0.1'),
  clock,
  log: createLogger('error'),
  sender: createWebhookSender(clock, { isLoopbackAllowed: true }),
  retryScale: 0.001,
  metrics: { countDelivery: () => undefined },
  // Short, so that the test does not wait for the real one.
  leaseMs: 700,
}).start();
