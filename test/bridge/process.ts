import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/bridge/cli/run.js';

/** The program that Node runs as `licensing-bridge`, from the sources. */
const sources: readonly string[] = [
  '--import',
  fileURLToPath(new URL('../support/typescript.mjs', import.meta.url)),
  fileURLToPath(new URL('../../src/bridge/cli.ts', import.meta.url)),
];

/** The result of a command. */
export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

/** Without the variables of the test runner, which would turn the child into a test. */
function environmentOf(variables: Record<string, string>): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_V8_COVERAGE: __, ...inherited } = process.env;
  return {
    ...inherited,
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    ...variables,
  };
}

/** Runs a command of `licensing-bridge` in a separate process. */
export async function runCommand(
  args: string[],
  variables: Record<string, string>,
  program = sources,
  folder = process.cwd(),
): Promise<Finished> {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: folder,
    env: environmentOf(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Runs a command of `licensing-bridge` in this process, which takes milliseconds. */
export async function runHere(
  args: string[],
  variables: Record<string, string> = {},
  input: string | Buffer = '',
): Promise<Finished> {
  let [out, err] = ['', ''];
  const code = await runCli(args, variables, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    readInput: () => Promise.resolve(Buffer.from(input)),
  });
  return { code, out, err };
}

/** A bridge that serves in a separate process. */
export interface ServingProcess {
  child: ChildProcess;
  bridgeUrl: string;
  applyUrl: string;
  /** Its output so far. */
  output(): string;
  /** Resolves when it has printed a text. */
  printed(text: string): Promise<void>;
  /** Sends a signal and resolves with the exit code, null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `licensing-bridge serve` and waits for the log line with its URLs. The signal kills it.
 */
export async function serveInProcess(
  variables: Record<string, string>,
  signal?: AbortSignal,
  program = sources,
): Promise<ServingProcess> {
  const child = spawn(process.execPath, [...program, 'serve'], {
    env: environmentOf(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const lines = createInterface(child.stdout);
  const addresses = new Promise<{ api: string; apply: string }>((resolve) => {
    lines.on('line', (line) => {
      output += `${line}\n`;
      const entry = JSON.parse(line) as { api?: string; apply?: string };
      if (entry.api !== undefined && entry.apply !== undefined) resolve({ api: entry.api, apply: entry.apply });
    });
  });
  const ended = exit.then(([code]) => {
    throw new Error(`serve ended with ${String(code)}: ${output}`);
  });
  const { api, apply } = await Promise.race([addresses, ended]);
  ended.catch(() => undefined);
  return {
    child,
    bridgeUrl: api,
    applyUrl: apply,
    output: () => output,
    async printed(text) {
      while (!output.includes(text)) await once(lines, 'line');
    },
    async end(signal) {
      child.kill(signal);
      return (await exit)[0];
    },
  };
}
