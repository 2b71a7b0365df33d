import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AgencyCredential } from '../../../src/contract/index.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/**
 * The fixture of the benchmarks: the built bridge and its references, each a process, on one
 * PostgreSQL.
 */
export interface Stage {
  bridgeUrl: string;
  bareUrl: string;
  /** The servers of an afternoon. */
  afternoon: readonly { name: string; url: string; pid: number }[];
  /** The process id of the bridge. */
  bridgePid: number;
  databaseUrl: string;
  db: Database;
  agencyId: string;
  /** A test token. */
  token: string;
  /** Runs a command of `licensing-bridge`. Resolves when it has ended. */
  command(...words: string[]): Promise<string>;
  stop(): Promise<void>;
}

const cli = fileURLToPath(new URL('../../../src/bridge/dist/cli.js', import.meta.url));
const referenceFile = (name: string) => fileURLToPath(new URL(`./${name}-server.ts`, import.meta.url));

/** Starts everything. The database waits for the disk (`fsync` on), as in production. */
export async function startStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-bench-'));
  const server = await openEmbedded({ folder });
  const variables = {
    ...process.env,
    DATABASE_URL: server.url,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    BRIDGE_RATE_LIMIT: '1000000',
    BRIDGE_PAGE_LIMIT: '1000000',
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    BRIDGE_WEBHOOK_RETRY_SCALE: '0.001',
  };
  const db = openDatabase(server.url);
  const children: ChildProcess[] = [];

  const command = async (...words: string[]) => {
    const child = spawn(process.execPath, [cli, ...words, '--json'], {
      env: variables,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`licensing-bridge ${words.join(' ')} ended with ${String(code)}.`);
    return out;
  };
  const start = async (words: string[], env: NodeJS.ProcessEnv, pick: (line: string) => string | undefined) => {
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return new Promise<{ found: string; pid: number }>((resolve, reject) => {
      child.once('exit', (code) => {
        reject(new Error(`${words.join(' ')} ended with ${String(code)}.`));
      });
      const lines = createInterface(child.stdout).on('line', (line) => {
        const found = pick(line);
        if (found === undefined) return;
        resolve({ found, pid: child.pid ?? 0 });
        lines.close();
        // The output is read, because a full pipe would stop the process. Not line by line, because
        // the load runs in this process.
        child.stdout.resume();
      });
    });
  };

  await command('migrate');
  const findUrl = (line: string) => (JSON.parse(line) as { api?: string }).api;
  const { found: bridgeUrl, pid } = await start([cli, 'serve'], variables, findUrl);
  const { agencyId } = JSON.parse(await command('agency', 'create', '--name', 'Bench')) as { agencyId: string };
  const token = await logIn(bridgeUrl, agencyId);
  const startReference = (name: string, ...words: string[]) =>
    start(['--import', 'tsx', referenceFile(name), ...words], { ...variables, AGENCY_ID: agencyId }, (line) => line);
  const bare = await startReference('bare');
  const afternoon: Stage['afternoon'][number][] = [];
  for (const name of ['Express', 'Fastify']) {
    const { found: port, pid } = await startReference('afternoon', name.toLowerCase());
    afternoon.push({ name, url: `http://127.0.0.1:${port}`, pid });
  }
  return {
    bridgeUrl,
    bareUrl: `http://127.0.0.1:${bare.found}`,
    afternoon,
    bridgePid: pid,
    databaseUrl: server.url,
    db,
    agencyId,
    token,
    command,
    async stop() {
      for (const child of children) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      await db.destroy();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function logIn(bridgeUrl: string, agencyId: string): Promise<string> {
  const post = (path: string, body?: object) =>
    fetch(`${bridgeUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then((answer) => answer.json());
  const credential = (await post(`/v1/account/account-credential?agencyId=${agencyId}`)) as AgencyCredential;
  const login = { clientId: credential.clientId, clientSecret: credential.testClientSecret };
  return ((await post('/v1/auth/login', login)) as { accessToken: string }).accessToken;
}
