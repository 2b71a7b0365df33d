import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Connections to a server that can be interrupted. */
export interface TcpProxy {
  /** Its port on loopback. */
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Lets new connections through again. */
  restore(): void;
  /** Lets new connections through to another port on loopback. Earlier ones stay where they are. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port on loopback. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let target = targetPort;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The other side is closed with it, below.
    socket.on('error', () => undefined);
  };
  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      keep(from);
      from.pipe(to);
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    restore() {
      isCut = false;
    },
    moveTo(port) {
      target = port;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
