import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.js';

/** Reads the bridge's key from the data folder, and makes it on the first start. Several first starts agree on one. */
export async function loadSecretKey(dataFolder: string): Promise<Buffer> {
  const file = join(dataFolder, 'secret-key');
  const known = await readKey(file);
  if (known !== undefined) return known;
  await makeDataFolder(dataFolder);
  const mine = `${file}.${String(process.pid)}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(mine, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    // Unlike a rename, a link does not replace what somebody else has just made, and what it shows is complete.
    await link(mine, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(mine, { force: true });
  }
  const made = await readKey(file);
  if (made === undefined) throw new Error(`${file} could not be made.`);
  return made;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
    if (key.length !== 32) throw new Error(`${file} does not hold 32 bytes as base64.`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
