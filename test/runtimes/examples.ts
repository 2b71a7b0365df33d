import { readFile, readdir, symlink, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestBridge } from '../support/bridge.js';
import { createConsumer, type Consumer } from '../support/consumer.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService, type Service } from '../support/service.js';
import type { RunningBackend } from './exercise.js';

const folder = fileURLToPath(new URL('../../demo/backends/', import.meta.url));

/** The names of the examples, with their endings. */
export const exampleNames = (await readdir(folder)).sort();

/** Reads an example. */
export function readExample(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

/** A folder with the installed package and the copied examples. */
export async function createExamples(): Promise<Consumer> {
  const consumer = await createConsumer();
  for (const name of exampleNames) await consumer.write(name, await readExample(name));
  return consumer;
}

/** Links installed packages into the consumer's `node_modules`. */
export async function addPackages(consumer: Consumer, from: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(consumer.folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(from, name), link);
  }
}

/** The command that serves an example. */
export interface Start {
  command: string;
  words(port: string): string[];
  /** Default: the folder of the consumer. */
  cwd?: string;
}

/** The environment of an example. */
export function variablesOf(bridge: TestBridge, port: string): Record<string, string> {
  return {
    PORT: port,
    SITE_URL: `http://localhost:${port}`,
    BRIDGE_URL: bridge.bridgeUrl,
    BRIDGE_CLIENT_ID: bridge.credential.clientId,
    BRIDGE_CLIENT_SECRET: bridge.credential.testClientSecret,
    LICENSING_SECRET: 'a-secret-of-the-partner-0123456789abcdef',
  };
}

/** Starts an example and waits for its first response. */
export async function startExample(
  consumer: Consumer,
  bridge: TestBridge,
  { command, words, cwd = consumer.folder }: Start,
): Promise<RunningBackend & Pick<Service, 'stop'>> {
  const [number] = await freePorts(1);
  const port = String(number);
  const variables = variablesOf(bridge, port);
  const site = variables.SITE_URL ?? '';
  const service = await startService(command, words(port), { cwd, variables, readyAt: `${site}/licensing/` });
  return { site, output: () => service.output(), stop: () => service.stop() };
}
