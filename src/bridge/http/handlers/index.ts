import { accountHandlers } from './account-handlers.js';
import type { Handlers } from './call.js';
import { producerHandlers } from './producer-handlers.js';
import { sessionHandlers } from './session-handlers.js';
import { territoryHandlers } from './territory-handlers.js';

/** The handlers of all operations. */
export const handlers = {
  ...accountHandlers,
  ...producerHandlers,
  ...territoryHandlers,
  ...sessionHandlers,
} satisfies Handlers;
