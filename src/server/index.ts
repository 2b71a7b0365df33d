export { createBridgeClient } from './client/create-bridge-client.js';
export { BridgeClientError, isBridgeClientError } from './client/bridge-client-error.js';
