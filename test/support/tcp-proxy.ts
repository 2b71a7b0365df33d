import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Connections to a server that can be interrupted. */
export interface TcpProxy {
  /** Its port on loopback. */
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /**
   * Passes nothing on any more and closes nothing, as when the machine of the server loses power.
   * New connections are accepted and stay silent, too.
   */
  fallSilent(): void;
  /** Lets new connections through again. Those that fell silent stay silent for ever. */
  restore(): void;
  /** Lets new connections through to another port on loopback. Earlier ones stay where they are. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

/** The two ends of a connection. */
interface Flow {
  ends: readonly Socket[];
  isSilent: boolean;
}

/** Starts a proxy in front of a port on loopback. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const flows = new Set<Flow>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  let target = targetPort;
  const server = createServer((client) => {
    if (state === 'cut') return void client.resetAndDestroy();
    const flow: Flow = { ends: [client], isSilent: state === 'silent' };
    flows.add(flow);
    if (!flow.isSilent) {
      const upstream = connect(target, '127.0.0.1');
      flow.ends = [client, upstream];
      client.pipe(upstream);
      upstream.pipe(client);
    }
    for (const end of flow.ends) {
      // The other side is closed with it.
      end.on('error', () => undefined);
      end.on('close', () => {
        if (flow.isSilent) return;
        flows.delete(flow);
        for (const other of flow.ends) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      for (const { ends } of flows) for (const end of ends) end.resetAndDestroy();
    },
    fallSilent() {
      state = 'silent';
      for (const flow of flows) {
        flow.isSilent = true;
        for (const end of flow.ends) end.unpipe().pause();
      }
    },
    restore() {
      state = 'open';
    },
    moveTo(port) {
      target = port;
    },
    async close() {
      for (const { ends } of flows) for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
