/**
 * `npm start`: a whole bridge, the hosted application and a partner's site on it, started together and stopped together.
 *
 * 1. look whether the three ports are free
 * 2. start `licensing-bridge serve` and wait until it is ready
 * 3. obtain the credential of the demo agency and fill the registry with synthetic producers, once
 * 4. start the partner's backend and print the three addresses
 */
import { startBackend, type Backend } from './backend.ts';
import { startBridge } from './bridge-process.ts';
import { demoCredential } from './credential.ts';
import { neededPorts, takenPorts, type NeededPort } from './ports.ts';
import { fillRegistry } from './registry.ts';

const dataFolder = process.env['BRIDGE_DATA_DIR'] ?? '.data';
const ports = readPorts();
const taken = await takenPorts(ports);
for (const { variable, number } of taken) {
  console.error(`Port ${number} is taken. Choose another one: ${variable}=${number + 10} npm start`);
}
if (taken.length > 0) process.exit(1);

const [demoPort, bridgePort, applyPort] = ports.map((port) => port.number) as [number, number, number];
const demoUrl = `http://localhost:${demoPort}`;
const bridgeUrl = process.env['BRIDGE_URL'] ?? `http://127.0.0.1:${bridgePort}`;
const applyUrl = process.env['APPLY_URL'] ?? `http://127.0.0.1:${applyPort}`;

const stopping = new AbortController();
let stopAskedAt = 0;
let backend: Backend | undefined;

const bridge = startBridge(dataFolder);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOnSignal);
stopWhenNpmIsGone();
void bridge.ended.then(async (how) => {
  if (stopping.signal.aborted) return;
  console.error(`The bridge stopped by itself (${how}). Its last lines:\n${bridge.lastLines()}`);
  await stop(1);
});

try {
  await bridge.whenReady(bridgeUrl, stopping.signal);
  const [credential] = await Promise.all([demoCredential(bridgeUrl, dataFolder), fillRegistry()]);
  backend = await startBackend({ demoPort, demoUrl, bridgeUrl, applyUrl, credential });
  if (!stopping.signal.aborted) announce();
} catch (problem) {
  if (!stopping.signal.aborted) {
    console.error(problem instanceof Error ? problem.message : problem);
    await stop(1);
  }
}

function readPorts(): NeededPort[] {
  try {
    return neededPorts(process.env);
  } catch (problem) {
    console.error((problem as TypeError).message);
    process.exit(1);
  }
}

function announce(): void {
  console.log(`
  Bridge API          ${bridgeUrl}   what a partner's backend calls
  Hosted application  ${applyUrl}   where users type what partners never see
  Demo                ${demoUrl}   a partner's site: open this one

  Press Ctrl-C to stop all three.
`);
}

function stopOnSignal(): void {
  // npm passes on a Ctrl-C that the terminal has delivered already: what comes within half a second is the same key press.
  const isSecond = stopAskedAt > 0 && Date.now() - stopAskedAt > 500;
  if (isSecond) {
    bridge.kill();
    process.exit(1);
  }
  if (stopAskedAt > 0) return;
  stopAskedAt = Date.now();
  void stop(0);
}

/** A SIGTERM ends npm, but the shell between npm and us passes nothing on: without this we would stay behind, unseen. */
function stopWhenNpmIsGone(): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && stopAskedAt === 0) stopOnSignal();
  }, 250).unref();
}

async function stop(exitCode: number): Promise<void> {
  stopping.abort();
  await backend?.close();
  await bridge.stop();
  process.exit(exitCode);
}
