import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A load balancer: one port, whose connections go to any available instance. */
export interface Balancer {
  url: string;
  close(): void;
}

/**
 * Starts a balancer. A connection that no instance accepts is closed, as when a service is down.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((caller) => {
    track(caller);
    turn += 1;
    forward(caller, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)]);
  });

  function track(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  }

  function forward(caller: Socket, [port, ...others]: number[]): void {
    if (port === undefined) {
      caller.destroy();
      return;
    }
    const instance = connect(port, '127.0.0.1');
    track(instance);
    let isTaken = false;
    instance.on('connect', () => {
      isTaken = true;
      caller.pipe(instance).pipe(caller);
      caller.on('close', () => instance.destroy());
    });
    instance.on('close', () => {
      if (isTaken || caller.destroyed) caller.destroy();
      else forward(caller, others);
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
