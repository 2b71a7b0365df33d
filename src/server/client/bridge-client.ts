import type { AccountOperations } from './operations/account-operations.js';
import type { BulkOperations } from './operations/bulk-operations.js';
import type { ProducerOperations } from './operations/producer-operations.js';
import type { SessionOperations } from './operations/session-operations.js';
import type { SubscriptionOperations } from './operations/subscription-operations.js';
import type { TerritoryOperations } from './operations/territory-operations.js';

/**
 * The operations of the bridge as methods. Each resolves with the answer and rejects with a `BridgeClientError`; a mistake of
 * the caller's is a `TypeError`, before anything is sent.
 */
export interface BridgeClient
  extends
    AccountOperations,
    ProducerOperations,
    BulkOperations,
    SubscriptionOperations,
    TerritoryOperations,
    SessionOperations {}
