import type { OperationId } from '../../contract/index.js';
import type { BridgeClient } from './bridge-client.js';
import { createCalls } from './calls.js';
import { accountOperations } from './operations/account-operations.js';
import { bulkOperations } from './operations/bulk-operations.js';
import { producerOperations } from './operations/producer-operations.js';
import { sessionOperations } from './operations/session-operations.js';
import { subscriptionOperations } from './operations/subscription-operations.js';
import { territoryOperations } from './operations/territory-operations.js';
import { readSettings, type BridgeClientOptions } from './options.js';

/**
 * Creates a client of the bridge. Nothing is sent until the first call. Inspecting or serialising the client shows its methods
 * only, never a secret.
 * @throws TypeError when an option is wrong.
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const settings = readSettings(options);
  const calls = createCalls(settings);
  return {
    ...accountOperations(calls),
    ...producerOperations(calls),
    ...bulkOperations(calls, settings),
    ...subscriptionOperations(calls),
    ...territoryOperations(calls),
    ...sessionOperations(calls),
  } satisfies Record<OperationId, unknown>;
}
