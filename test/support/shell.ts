import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Commands in a shell, as in a terminal. */
export interface ShellProgram {
  /** Resolves with their output; rejects when their exit code is not 0. */
  ended(): Promise<string>;
  /** Resolves when a URL answers with success. */
  answersAt(url: string): Promise<void>;
  /** Resolves once the output matches. */
  prints(pattern: RegExp): Promise<void>;
  /** Stops them and all their processes, like closing the terminal. */
  stop(): Promise<void>;
}

const timeoutMs = 120_000;

/**
 * Starts commands in a shell. Variables that configure the bridge are left out of its environment,
 * and the data of the bridge is below `home`, as it is for a new user.
 */
export function startInShell(commands: string, cwd: string, home: string): ShellProgram {
  const configuring = /^(BRIDGE_|APPLY_|CONSOLE_|DATABASE_URL)/;
  const inherited = Object.entries(process.env).filter(([name]) => !configuring.test(name));
  const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  // A separate process group, so that it can be stopped together with the processes of npx.
  const child = spawn('bash', ['-e', '-c', commands], {
    cwd,
    detached: true,
    env: { ...Object.fromEntries(inherited), ...npm, XDG_DATA_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;

  async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await isTrue())) {
      assert.equal(child.exitCode, null, `${commands}\n${output}${errors}`);
      assert.ok(Date.now() < deadline, `${what}\n${output}${errors}`);
      await pause(100);
    }
  }

  return {
    async ended() {
      const [code] = await closed;
      assert.equal(code, 0, `${commands}\n${output}${errors}`);
      return output;
    },
    answersAt: (url) =>
      until(async () => {
        const answer = await fetch(url).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok === true;
      }, `${url} did not answer.`),
    prints: (pattern) => until(() => pattern.test(output), `Nothing matches ${String(pattern)}.`),
    async stop() {
      if (child.exitCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGTERM');
      await closed;
    },
  };
}
