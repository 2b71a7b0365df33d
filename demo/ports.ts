import { createServer } from 'node:net';

/** A port that the demo needs, and the environment variable that moves it. */
export interface NeededPort {
  variable: 'DEMO_PORT' | 'BRIDGE_PORT' | 'APPLY_PORT';
  number: number;
}

/** The three ports, from the environment or by default. @throws TypeError when a value is not a port number. */
export function neededPorts(environment: NodeJS.ProcessEnv): NeededPort[] {
  const needed = { DEMO_PORT: 5170, BRIDGE_PORT: 5171, APPLY_PORT: 5172 };
  return Object.entries(needed).map(([name, byDefault]) => {
    const number = Number(environment[name] ?? byDefault);
    if (!Number.isInteger(number) || number < 1 || number > 65_535) {
      throw new TypeError(`${name} has to be a port number from 1 to 65535.`);
    }
    return { variable: name as NeededPort['variable'], number };
  });
}

/** Which of the ports another program listens on, or which two of ours are the same. */
export async function takenPorts(ports: NeededPort[]): Promise<NeededPort[]> {
  const free = await Promise.all(ports.map((port) => isFree(port.number)));
  return ports.filter(
    (port, index) => !free[index] || ports.findIndex((other) => other.number === port.number) < index,
  );
}

async function isFree(port: number): Promise<boolean> {
  // Both loopbacks are tried: a program that holds only one of them would still answer some of our visitors.
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => canListen(port, host)));
  return answers.every(Boolean);
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (problem: NodeJS.ErrnoException) => resolve(problem.code === 'EADDRNOTAVAIL'));
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
}
