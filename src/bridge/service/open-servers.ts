import { bringsDocument } from '../apply/index.js';
import type { Environment } from '../config/environment.js';
import type { ServerLimits } from '../domain/limits/limits.js';
import { listen, PortTakenError, type HttpServer, type ListenOptions } from '../http/server.js';

/** The servers of a bridge. They accept connections, and answer once they serve an app. */
export interface BridgeServers {
  api: HttpServer;
  apply: HttpServer;
  /** The console; `undefined` without `CONSOLE_PORT`. */
  console: HttpServer | undefined;
  /** The metrics; `undefined` without `BRIDGE_METRICS_PORT`. */
  metrics: HttpServer | undefined;
}

/**
 * Listens on every port of the environment. `onOpened` is called with each server, so that a
 * failure of another one can close it.
 *
 * @throws PortTakenError that names the variable of every port that is in use.
 */
export async function openServers(
  environment: Environment,
  limits: Partial<ServerLimits> | undefined,
  onOpened: (server: HttpServer) => void,
): Promise<BridgeServers> {
  const taken: string[] = [];

  async function open(variable: string, options: Pick<ListenOptions, 'port' | 'host' | 'trustedProxies' | 'isUpload'>) {
    try {
      const server = await listen({ variable, limits, ...options });
      onOpened(server);
      return server;
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      taken.push(error.message);
      return undefined;
    }
  }

  const { CONSOLE_PORT: consolePort, BRIDGE_METRICS_PORT: metricsPort } = environment;
  const inPublic = { host: environment.BRIDGE_HOST, trustedProxies: environment.BRIDGE_TRUSTED_PROXIES };
  const api = await open('BRIDGE_PORT', { port: environment.BRIDGE_PORT, ...inPublic });
  const apply = await open('APPLY_PORT', { port: environment.APPLY_PORT, ...inPublic, isUpload: bringsDocument });
  const others = {
    // Not on BRIDGE_HOST, which is often 0.0.0.0: the console shows SSNs and must not be public.
    console:
      consolePort === undefined
        ? undefined
        : await open('CONSOLE_PORT', {
            port: consolePort,
            host: environment.CONSOLE_HOST,
            trustedProxies: environment.CONSOLE_TRUSTED_PROXIES,
          }),
    metrics:
      metricsPort === undefined
        ? undefined
        : await open('BRIDGE_METRICS_PORT', { port: metricsPort, host: environment.BRIDGE_METRICS_HOST }),
  };
  if (api === undefined || apply === undefined || taken.length > 0) throw new PortTakenError(taken.join('\n'));
  return { api, apply, ...others };
}
