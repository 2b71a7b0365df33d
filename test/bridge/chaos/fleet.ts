import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.mjs';
import { serveInProcess, type ServingProcess } from '../process.js';
import { startBalancer } from './balancer.js';
import type { Random } from './random.js';

/** Real bridge processes behind one port, which are killed and restarted. */
export interface Fleet {
  bridgeUrl: string;
  applyUrl: string;
  /** Processes killed by {@link Fleet.killOne}. */
  kills: number;
  /** Starts after a kill. */
  restarts: number;
  /** Queries that got no connection in time, because the pool of their process was exhausted. */
  exhaustions: number;
  /** Processes that ended by themselves, which is an error. */
  crashes: string[];
  /** Kills a serving process, even the only one, and restarts it. */
  killOne(): void;
  /** Resolves once all of them serve. */
  complete(): Promise<void>;
  /** Stops all gracefully. Resolves with their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Kills all processes. */
  abandon(): void;
}

/** Starts `count` bridges on one database. */
export async function startFleet(count: number, variables: Record<string, string>, random: Random): Promise<Fleet> {
  const ports = await freePorts(2 * count);
  const [apiPorts, applyPorts] = [ports.slice(0, count), ports.slice(count)];
  const [api, apply] = [await startBalancer(apiPorts), await startBalancer(applyPorts)];
  const serving = new Map<number, ServingProcess>();
  const told = new Set<ServingProcess>();
  let isStopping = false;
  const abandoned = new AbortController();

  async function serve(place: number): Promise<void> {
    const process = await serveInProcess(
      {
        ...variables,
        BRIDGE_PORT: String(apiPorts[place]),
        APPLY_PORT: String(applyPorts[place]),
        BRIDGE_URL: api.url,
        APPLY_URL: apply.url,
      },
      abandoned.signal,
    );
    serving.set(place, process);
    process.child.once('exit', (code, signal) => {
      fleet.exhaustions += process.output().split('timeout exceeded when trying to connect').length - 1;
      serving.delete(place);
      if (!told.has(process) && !isStopping) {
        fleet.crashes.push(`exit ${String(code ?? signal)}: ${process.output().slice(-2_000)}`);
        void revive(place);
      }
    });
  }

  /**
   * Restarts again and again, as an operator's supervisor does, because the database may be down.
   */
  async function revive(place: number): Promise<void> {
    while (!isStopping) {
      try {
        await serve(place);
        fleet.restarts += 1;
        return;
      } catch {
        await pause(200);
      }
    }
  }

  const fleet: Fleet = {
    bridgeUrl: api.url,
    applyUrl: apply.url,
    kills: 0,
    restarts: 0,
    exhaustions: 0,
    crashes: [],
    killOne() {
      if (serving.size === 0) return;
      const [place, process] = random.pick([...serving]);
      serving.delete(place);
      told.add(process);
      fleet.kills += 1;
      void process.end('SIGKILL').then(() => revive(place));
    },
    async complete() {
      while (serving.size < count) await pause(50);
    },
    async stop() {
      isStopping = true;
      const processes = [...serving.values()];
      for (const process of processes) told.add(process);
      const codes = await Promise.all(processes.map((process) => process.end('SIGTERM')));
      api.close();
      apply.close();
      return codes;
    },
    abandon() {
      isStopping = true;
      abandoned.abort();
      api.close();
      apply.close();
    },
  };
  await Promise.all(Array.from({ length: count }, (_, place) => serve(place)));
  return fleet;
}
