import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { testTool } from '../../support/consumer.js';
import { freePorts } from '../../support/free-ports.mjs';

/** A proxy that holds requests and answers against a contract. */
export interface Prism {
  url: string;
  stop(): Promise<void>;
}

const program = testTool('@stoplight/prism-cli/dist/index.js');

/** Starts the proxy in front of an address. Resolves once it listens. */
export async function startPrism(contract: URL, upstream: string): Promise<Prism> {
  const [port = 0] = await freePorts(1);
  const words = ['proxy', fileURLToPath(contract), upstream, '--errors', '-h', '127.0.0.1', '-p', String(port)];
  // The program itself: what npx starts would stay when npx is killed.
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('Prism is listening')) resolve();
    });
    child.once('exit', () => reject(new Error(`The proxy ended: ${said.join('\n')}`)));
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
