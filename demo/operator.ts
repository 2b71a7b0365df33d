import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How to sign in to the console. */
export interface DemoOperator {
  name: string;
  password: string;
}

/**
 * Returns the stored sign-in of the demo's operator, if the database has this operator; a new one
 * does not.
 *
 * @param bridgeCommand - The file of `licensing-bridge`.
 */
export async function loadOperator(bridgeCommand: string, dataFolder: string): Promise<DemoOperator> {
  const file = join(dataFolder, 'demo-operator.json');
  const { stdout } = await promisify(execFile)(process.execPath, [bridgeCommand, 'operator', 'list', '--json']);
  const isKnown = (JSON.parse(stdout) as { name: string }[]).some(({ name }) => name === 'demo');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (isKnown && stored !== undefined) return JSON.parse(stored) as DemoOperator;
  const operator = { name: 'demo', password: randomBytes(12).toString('base64url') };
  const words = isKnown ? ['reset'] : ['create', '--role', 'file'];
  const created = promisify(execFile)(process.execPath, [
    ...[bridgeCommand, 'operator', ...words],
    ...['--name', operator.name, '--password-stdin'],
  ]);
  // Not as an option: other users of this machine can read the options of a process.
  created.child.stdin?.end(operator.password);
  await created;
  await writeFile(file, JSON.stringify(operator), { mode: 0o600 });
  return operator;
}
