import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A bridge that runs beside the demo. */
export interface BridgeProcess {
  /** Resolves with how the process ended, whoever ended it. */
  readonly ended: Promise<string>;
  /** Resolves once the bridge answers. Rejects when it has not within a minute. */
  whenReady(bridgeUrl: string, signal: AbortSignal): Promise<void>;
  /** The last lines of its log. */
  lastLines(): string;
  /** Asks it, once, to stop; resolves when it has. */
  stop(): Promise<void>;
  /** Ends it and the processes it started, at once. */
  kill(): void;
}

const requirePackage = createRequire(import.meta.url);

/** The command `licensing-bridge`, found as npm finds it: by the `bin` of the package. */
function commandLine(): string {
  const manifest = requirePackage.resolve('licensing-apply/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<'licensing-bridge', string> };
  return join(dirname(manifest), bin['licensing-bridge']);
}

/** Runs one command of `licensing-bridge` and reads the JSON that it prints. */
export async function askBridge<Answer>(...command: string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)(process.execPath, [commandLine(), ...command, '--json']);
  return JSON.parse(stdout) as Answer;
}

/** Starts `licensing-bridge serve` with the caller's environment; its log goes to `bridge.log` in the data folder. */
export function startBridge(dataFolder: string): BridgeProcess {
  mkdirSync(dataFolder, { recursive: true });
  const logFile = join(dataFolder, 'bridge.log');
  const log = openSync(logFile, 'w', 0o600);
  // A process group of its own: Ctrl-C in a terminal reaches every process of ours, and the bridge has to be asked once.
  const child = spawn(process.execPath, [commandLine(), 'serve'], { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (problem) => resolve(problem.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
  });

  return {
    ended,
    async whenReady(bridgeUrl, signal) {
      const deadline = Date.now() + 60_000;
      while (Date.now() < deadline) {
        const isReady = await fetch(`${bridgeUrl}/readyz`, { signal }).then(
          (answer) => answer.ok,
          () => false,
        );
        if (isReady) return;
        await wait(100, undefined, { signal });
      }
      throw new Error(`The bridge did not become ready within a minute. Its last lines:\n${this.lastLines()}`);
    },
    lastLines: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    kill() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
    },
  };
}
