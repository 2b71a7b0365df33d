import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../support/free-ports.mjs';

/**
 * The demo like `npm start`: bridge, hosted application and partner's site in their real processes.
 */
export interface Site {
  /** The API. */
  bridgeUrl: string;
  /** The hosted application: another site than the partner's, as in production. */
  applyUrl: string;
  /** The partner's site. */
  demoUrl: string;
  /** The data folder, with the database and the bridge's log. */
  dataFolder: string;
  /** The output of the processes so far. */
  output(): string;
  /** The bridge's log so far. */
  bridgeLog(): Promise<string>;
  /** Stops everything as Ctrl-C does and removes the data folder; resolves with the exit code. */
  stop(): Promise<number>;
}

/** Starts the demo on free ports with a new data folder. `environment` adds variables. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'licensing-end-to-end-'));
  const [demoPort, bridgePort, applyPort, consolePort] = await freePorts(4);
  const child = spawn(process.execPath, ['demo/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutTestRunner(process.env),
      BRIDGE_DATA_DIR: dataFolder,
      DEMO_PORT: String(demoPort),
      BRIDGE_PORT: String(bridgePort),
      APPLY_PORT: String(applyPort),
      CONSOLE_PORT: String(consolePort),
      ...environment,
    },
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const lines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('Ctrl-C')) resolve();
      });
    }
    void exited.then(([code]) => {
      reject(new Error(`The demo ended with ${String(code)}:\n${lines.join('\n')}`));
    });
  });
  await ready;
  const addresses = lines.join('\n').match(/http:\/\/\S+/g) ?? [];
  const [bridgeUrl, applyUrl, demoUrl] = addresses as [string, string, string];
  return {
    bridgeUrl,
    applyUrl,
    demoUrl,
    dataFolder,
    output: () => lines.join('\n'),
    bridgeLog: () => readFile(join(dataFolder, 'bridge.log'), 'utf8'),
    async stop() {
      if (child.exitCode !== null) throw new Error(`The demo ended by itself:\n${lines.join('\n')}`);
      child.kill('SIGINT');
      const [code] = await exited;
      await rm(dataFolder, { recursive: true, force: true });
      return code ?? -1;
    },
  };
}

/**
 * The environment of a program that a user starts, not of a test: the runner's own variables would
 * change the child, and so would `NODE_ENV`, which Vite sets to `production` in the process that
 * builds.
 */
function withoutTestRunner(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, NODE_ENV: _mode, ...rest } = environment;
  return rest;
}
