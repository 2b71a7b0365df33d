/**
 * The Producer Licensing Bridge: API, hosted application and webhooks in one process.
 * `readEnvironment(process.env)` checks the environment, `startBridge` starts the service. The
 * command line does both: `licensing-bridge serve`.
 */
export type { Environment, EnvironmentName, EnvironmentVariable, LogLevel } from './config/environment.js';
export { EnvironmentError, environmentVariables, readEnvironment } from './config/environment.js';
export { PortTakenError } from './http/server.js';
export { createLogger } from './config/log.js';
export type { KeyProvider } from './ports/key-provider.js';
export type { RunningBridge, StartOptions } from './service/start-bridge.js';
export { startBridge } from './service/start-bridge.js';
export type { Agency } from './domain/accounts/agency.js';
export {
  activateAgency,
  createAgency,
  deactivateAgency,
  listAgencies,
  updateAgency,
} from './domain/accounts/agency.js';
export { createAccountCredential } from './domain/accounts/credential.js';
