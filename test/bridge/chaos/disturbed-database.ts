import { startPostgres } from './postgres-server.js';
import { startTwoServers } from '../replicas/two-servers.js';

/** The database of a chaos run. */
export interface DisturbedDatabase {
  url: string;
  /** Disturbs it, in another way each time. Resolves with what was done, once it serves again. */
  disturb(): Promise<string>;
  stop(): Promise<void>;
}

/** One server, which is restarted in order, and as after a crash, in turn. */
export async function startRestarted(): Promise<DisturbedDatabase> {
  const server = await startPostgres();
  const ways = turns(['immediate', 'fast'] as const);
  return {
    url: server.url,
    async disturb() {
      const how = ways();
      await server.restart(how);
      return `The database was restarted (${how}).`;
    },
    stop: () => server.stop(),
  };
}

/** A primary and its standby, which replaces it as planned, and after it was killed, in turn. */
export async function startReplaced(): Promise<DisturbedDatabase> {
  const servers = await startTwoServers();
  const ways = turns([
    ['killed', servers.killPrimary],
    ['stopped', servers.stopPrimary],
  ] as const);
  return {
    url: servers.url,
    async disturb() {
      const [how, end] = ways();
      await end();
      await servers.promoteStandby();
      servers.moveProxy();
      await servers.rejoin();
      return `The primary was ${how}, and its standby has replaced it.`;
    },
    stop: () => servers.stop(),
  };
}

function turns<Value>(values: readonly [Value, ...Value[]]): () => Value {
  let count = -1;
  return () => values[(count += 1) % values.length] ?? values[0];
}
