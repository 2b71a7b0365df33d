/**
 * `npm start`: the bridge with its hosted application and its console, and a partner's site.
 *
 * 1. Check that the four ports are free.
 * 2. Start `licensing-bridge serve` and poll until it is ready.
 * 3. On the first start, create the demo agency, its territories, a registry of synthetic producers
 *    and an operator.
 * 4. Start the partner's server and print the four addresses.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBridgeClient, isBridgeClientError } from 'licensing-apply/server';
import { createDeveloperView } from './developer/view.ts';
import { loadOperator } from './operator.ts';
import { createSite, type Settings } from './server.ts';

const ports = { DEMO_PORT: 5170, BRIDGE_PORT: 5171, APPLY_PORT: 5172, CONSOLE_PORT: 5173 };
const taken: (keyof typeof ports)[] = [];
for (const [name, port] of Object.entries(ports) as [keyof typeof ports, number][]) {
  ports[name] = Number(process.env[name] ?? port);
  if (!(ports[name] > 0 && ports[name] < 65_536)) fail(`${name} must be a port number, not "${process.env[name]}".`);
  if (await isTaken(ports[name])) taken.push(name);
}
if (taken.length > 0) {
  const lines = taken.map((name) => `Port ${ports[name]} is in use.`);
  const others = taken.map((name) => `${name}=${ports[name] + 10}`).join(' ');
  fail(`${lines.join(' ')} Stop the other program, or choose another port: ${others} npm start`);
}

const siteUrl = `http://localhost:${ports.DEMO_PORT}`;
const bridgeUrl = process.env['BRIDGE_URL'] ?? `http://127.0.0.1:${ports.BRIDGE_PORT}`;
const applyUrl = process.env['APPLY_URL'] ?? `http://127.0.0.1:${ports.APPLY_PORT}`;
const consoleUrl = process.env['CONSOLE_URL'] ?? `http://127.0.0.1:${ports.CONSOLE_PORT}`;
const dataFolder = (process.env['BRIDGE_DATA_DIR'] ??= '.data');
const bridgeCommand = fileURLToPath(new URL('./cli.js', import.meta.resolve('licensing-bridge')));

mkdirSync(dataFolder, { recursive: true });
const logFile = join(dataFolder, 'bridge.log');
const log = openSync(logFile, 'w', 0o600);
// The embedded database migrates by itself.
if (process.env['DATABASE_URL']) await promisify(execFile)(process.execPath, [bridgeCommand, 'migrate']);
// Detached, because Ctrl-C reaches every process of the terminal's group, and the bridge must stop
// its database in order.
const bridge = spawn(process.execPath, [bridgeCommand, 'serve'], {
  env: {
    // The site's webhooks are sent to this machine. A bridge that others can reach must not send
    // any there.
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
    // A simulated department decides for Texas, and the operator of the demo for California.
    BRIDGE_TEST_FILING: 'CA',
    // A fictional company, as the operator whom the pages name.
    BRIDGE_OPERATOR_NAME: 'Fernhill Licensing',
    BRIDGE_OPERATOR_LOGO: fileURLToPath(new URL('operator/mark.svg', import.meta.url)),
    BRIDGE_OPERATOR_COLOR: '#2a4b8d',
    BRIDGE_OPERATOR_PRIVACY_URL: `${siteUrl}/operator/#privacy`,
    BRIDGE_OPERATOR_TERMS_URL: `${siteUrl}/operator/#terms`,
    BRIDGE_OPERATOR_HELP_URL: `${siteUrl}/operator/#help`,
    BRIDGE_OPERATOR_PHONE: '512-555-0100',
    BRIDGE_OPERATOR_EMAIL: 'help@fernhill.example',
    ...process.env,
    CONSOLE_PORT: String(ports.CONSOLE_PORT),
  },
  stdio: ['ignore', log, log],
  detached: true,
});
const bridgeExit = once(bridge, 'exit');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// npm ends on SIGTERM, and the shell between npm and this process forwards no signal.
const parent = process.ppid;
const checkParent = () => void (process.ppid !== parent && stop(0));
if (process.env['npm_lifecycle_event'] === 'start') setInterval(checkParent, 250).unref();
void bridgeExit.then(async () => {
  if (stopping.signal.aborted) return;
  const lastLines = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-8).join('\n');
  fail(`The bridge stopped. The end of ${logFile}:\n${lastLines}`);
});

try {
  // A bridge that cannot start ends by itself. A busy machine needs minutes for the first start.
  const deadline = Date.now() + 5 * 60_000;
  const note = setTimeout(() => console.log('The bridge is starting. The first start creates its database.'), 10_000);
  while (!(await isReady())) {
    if (Date.now() > deadline) throw new Error(`The bridge is not ready after five minutes. See ${logFile}.`);
    await delay(100);
  }
  clearTimeout(note);
  const settings: Settings = { siteUrl, bridgeUrl, applyUrl, consoleUrl, ...(await loadCredential()) };
  const operator = await loadOperator(bridgeCommand, dataFolder);
  // Loopback only: the site signs in every visitor.
  const site = createSite(settings, createDeveloperView(settings)).listen(ports.DEMO_PORT, 'localhost');
  await once(site, 'listening');
  console.log(`
  Bridge API          ${bridgeUrl}   what a partner's backend calls
  Hosted application  ${applyUrl}   where users type what partners never see
  Demo                ${siteUrl}   a partner's site: open this one
  Console             ${consoleUrl}   where operators file and decide; sign in as ${operator.name} with ${operator.password}

  Press Ctrl-C to stop all four.
`);
} catch (error) {
  if (!stopping.signal.aborted) console.error(error);
  await stop(1);
}

async function stop(exitCode: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  bridge.kill('SIGTERM');
  await bridgeExit;
  process.exit(exitCode);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function isReady(): Promise<boolean> {
  return fetch(`${bridgeUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

type Credential = Pick<Settings, 'clientId' | 'clientSecret' | 'webhookSecret'>;

/**
 * Returns the stored credential of the demo agency while the bridge accepts it, else that of a new
 * agency.
 */
async function loadCredential(): Promise<Credential> {
  const file = join(dataFolder, 'demo-credential.json');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored !== undefined) {
    const credential = JSON.parse(stored) as Credential;
    if (await isAccepted(credential)) return credential;
  }
  const credential = await createAgency();
  await writeFile(file, JSON.stringify(credential), { mode: 0o600 });
  return credential;
}

/** Whether the bridge accepts the credential. A new database does not know it. */
async function isAccepted({ clientId, clientSecret }: Credential): Promise<boolean> {
  try {
    await createBridgeClient({ baseUrl: bridgeUrl, clientId, clientSecret }).auth.login();
    return true;
  } catch (error) {
    if (isBridgeClientError(error) && error.status === 401) return false;
    throw error;
  }
}

async function createAgency(): Promise<Credential> {
  const data = (name: string) => fileURLToPath(new URL(`data/${name}`, import.meta.url));
  const onboardTypes = ['--onboard-types', 'lookup,subscribe,team'];
  const agencyId = await runBridgeCommand('agency', 'create', '--name', 'Wren & Alder', ...onboardTypes);
  await runBridgeCommand('territory', 'import', data('territories.json'), '--agency', agencyId);
  await runBridgeCommand('registry', 'import', data('producer.ndjson'));
  await runBridgeCommand('registry', 'import', data('producer-update.ndjson'));
  await runBridgeCommand('registry', 'generate', '--count', '300');
  const { clientId, testClientSecret } = await createBridgeClient({ baseUrl: bridgeUrl }).account.createCredential({
    agencyId,
  });
  return { clientId, clientSecret: testClientSecret, webhookSecret: randomBytes(32).toString('base64url') };
}

/** Runs `licensing-bridge` and returns the `agencyId` that it prints, if it prints one. */
async function runBridgeCommand(...command: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [bridgeCommand, ...command, '--json']);
  return (JSON.parse(stdout) as { agencyId?: string }).agencyId ?? '';
}
