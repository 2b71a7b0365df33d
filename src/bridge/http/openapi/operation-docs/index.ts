import type { OperationId } from '../../../../contract/index.js';
import { accountDocs } from './account-docs.js';
import { bulkDocs } from './bulk-docs.js';
import type { DocsOf } from './docs.js';
import { producerDocs } from './producer-docs.js';
import { sessionDocs } from './session-docs.js';
import { subscriptionDocs } from './subscription-docs.js';
import { territoryDocs } from './territory-docs.js';

export { tags } from './docs.js';

/** The docs of all operations. */
export const operationDocs: DocsOf<OperationId> = {
  ...accountDocs,
  ...producerDocs,
  ...bulkDocs,
  ...subscriptionDocs,
  ...territoryDocs,
  ...sessionDocs,
};
