import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../support/free-ports.mjs';

const startScript = fileURLToPath(new URL('../../demo/start.ts', import.meta.url));

/** The variables that move the demo's ports. */
const portVariables = ['DEMO_PORT', 'BRIDGE_PORT', 'APPLY_PORT', 'CONSOLE_PORT'] as const;

/** The free ports and the temporary folder of one demo. */
export interface DemoPlace {
  ports: Record<(typeof portVariables)[number], number>;
  dataFolder: string;
  /** Runs `npm start`'s script. */
  start(environment?: Record<string, string>): RunningDemo;
  /** Runs it like npm: as a child of a shell, whose process is returned. */
  startBehindShell(): RunningDemo;
  /** Ends all remaining processes and removes the folder. */
  clear(): Promise<void>;
}

/** The running script. */
export interface RunningDemo {
  child: ChildProcess;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Its output so far. */
  output(): string;
  /** Resolves when it has printed these words. */
  says(words: string): Promise<void>;
}

/** Finds free ports and creates a folder for a demo. */
export async function findDemoPlace(): Promise<DemoPlace> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'demo-'));
  const numbers = await freePorts(portVariables.length);
  const ports = Object.fromEntries(portVariables.map((name, index) => [name, numbers[index]])) as DemoPlace['ports'];
  const running = new Set<RunningDemo>();

  function run(command: string, words: string[], environment: Record<string, string>): RunningDemo {
    const { DATABASE_URL: _elsewhere, BRIDGE_URL: _bridge, APPLY_URL: _apply, ...own } = process.env;
    const texts = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const env = { ...own, ...texts, BRIDGE_DATA_DIR: dataFolder, ...environment };
    const demo = watch(spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    running.add(demo);
    return demo;
  }

  return {
    ports,
    dataFolder,
    start: (environment = {}) => run(process.execPath, [startScript], environment),
    startBehindShell: () =>
      // A second command prevents the shell from replacing itself with the first one.
      run('sh', ['-c', '"$0" "$1"; exit $?', process.execPath, startScript], { npm_lifecycle_event: 'start' }),
    async clear() {
      for (const demo of running) {
        demo.child.kill('SIGINT');
        await demo.ended;
      }
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

function watch(child: ChildProcess): RunningDemo {
  let output = '';
  let changed: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      changed();
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      changed();
    });
  });
  return {
    child,
    ended,
    output: () => output,
    says: (words) =>
      new Promise<void>((resolve, reject) => {
        changed = () => {
          if (output.includes(words)) resolve();
          else if (child.exitCode !== null) reject(new Error(`It ended before it said "${words}":\n${output}`));
        };
        changed();
      }),
  };
}

/** Listens on a port of the loopback. */
export function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Stops listening. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Finds a place for the demo of a test, which is cleared after the test. */
export async function setup(t: TestContext): Promise<DemoPlace> {
  const place = await findDemoPlace();
  t.after(() => place.clear());
  return place;
}

/** Asserts that the ports are free and that no database server runs in the data folder. */
export async function assertNothingRuns({ ports, dataFolder }: DemoPlace): Promise<void> {
  for (const port of Object.values(ports)) await stopListening(await listen(port));
  // The database server removes this file when it ends.
  await assert.rejects(access(join(dataFolder, 'postgres', 'postmaster.pid')));
}
