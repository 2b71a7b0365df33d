import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mode } from '../../contract/index.js';
import { createDataFolder } from '../store/embedded/create-data-folder.js';
import { EnvironmentError, missingKey, type Environment } from '../config/environment.js';
import { readTextFile } from '../files/text-file.js';
import type { KeyProvider } from '../ports/key-provider.js';

/**
 * The keys of the environment, or else the key in the data folder, which is created at the first
 * start. `findFolder` is only called in that case: a service without a home folder needs none.
 */
export function environmentKeys(
  {
    BRIDGE_SECRET_KEY,
    BRIDGE_OLD_SECRET_KEYS = [],
    BRIDGE_TEST_SECRET_KEY,
    BRIDGE_OLD_TEST_SECRET_KEYS = [],
    NODE_ENV,
  }: Environment,
  findFolder: () => string,
): KeyProvider {
  return {
    get source() {
      return BRIDGE_SECRET_KEY === undefined ? `The key in ${join(findFolder(), 'secret-key')}` : 'BRIDGE_SECRET_KEY';
    },
    async loadKeys(mode) {
      // Not with those of live mode: then neither key reads what the other one encrypted.
      if (mode === 'test' && BRIDGE_TEST_SECRET_KEY !== undefined) {
        return [BRIDGE_TEST_SECRET_KEY, ...BRIDGE_OLD_TEST_SECRET_KEYS];
      }
      // No other instance and no backup would have a key that an instance creates.
      if (BRIDGE_SECRET_KEY === undefined && NODE_ENV === 'production') throw new EnvironmentError([missingKey]);
      const old =
        mode === 'test' ? [...BRIDGE_OLD_SECRET_KEYS, ...BRIDGE_OLD_TEST_SECRET_KEYS] : BRIDGE_OLD_SECRET_KEYS;
      return [BRIDGE_SECRET_KEY ?? (await loadSecretKey(findFolder())), ...old];
    },
  };
}

/**
 * Loads the keys of a mode. @throws Error when one of them is invalid, because the hash
 * functions would accept a shorter one.
 */
export async function loadKeysOf(provider: KeyProvider, mode: Mode): Promise<readonly [Buffer, ...Buffer[]]> {
  const keys = await provider.loadKeys(mode);
  const wrong = keys.findIndex((key) => key.length !== 32);
  if (wrong >= 0 || keys.length === 0)
    throw new Error(`${provider.source}: expected keys of 32 bytes, at least one (key ${wrong + 1}).`);
  return keys;
}

/**
 * Reads the bridge's key from the data folder, and creates it at the first start. Concurrent first
 * starts use the same key.
 */
export async function loadSecretKey(dataFolder: string): Promise<Buffer> {
  const file = join(dataFolder, 'secret-key');
  const known = await readKey(file);
  if (known !== undefined) return known;
  await createDataFolder(dataFolder);
  const mine = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(mine, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    // Unlike a rename, a link does not replace a file that another process has just created, and
    // the file is complete.
    await link(mine, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(mine, { force: true });
  }
  const made = await readKey(file);
  if (made === undefined) throw new Error(`${file} could not be created.`);
  return made;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from(await readTextFile(file), 'base64');
    if (key.length !== 32) throw new Error(`${file} does not contain 32 bytes as base64.`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
