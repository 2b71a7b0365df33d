import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where data folders are looked for. */
export interface DataFolderPlaces {
  /** The current folder. */
  current: string;
  /** The folder for data of programs: `XDG_DATA_HOME`, or `.local/share` in the home folder. */
  dataHome: string;
}

/** The places of this process. */
export function placesOf(variables: Readonly<Record<string, string | undefined>>): DataFolderPlaces {
  return { current: process.cwd(), dataHome: variables['XDG_DATA_HOME'] || join(homedir(), '.local', 'share') };
}

/**
 * Finds the data folder where `BRIDGE_DATA_DIR` names none: the nearest `.data` with data in it, from the current folder up to
 * the package that it is in, else a fixed one. A command started in another folder so finds the same database and key.
 */
export function findDataFolder({ current, dataHome }: DataFolderPlaces): string {
  return nearestDataFolder(current) ?? join(dataHome, 'licensing-bridge');
}

/**
 * Warns before a second database and key are made: `folder` holds no data yet, and another place where a bridge would look does.
 * Resolves with `undefined` when there is nothing to warn of.
 */
export function describeOtherData(folder: string, { current, dataHome }: DataFolderPlaces): string | undefined {
  if (holdsData(folder)) return undefined;
  const places = [nearestDataFolder(current), join(dataHome, 'licensing-bridge')];
  const other = places.find((place) => place !== undefined && place !== folder && holdsData(place));
  return (
    other &&
    `A new database and key are created in ${folder}. The ones in ${other} are not used; BRIDGE_DATA_DIR selects the folder.`
  );
}

function nearestDataFolder(current: string): string | undefined {
  for (let folder = current; ; folder = dirname(folder)) {
    const candidate = join(folder, '.data');
    if (holdsData(candidate)) return candidate;
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return undefined;
  }
}

function holdsData(folder: string): boolean {
  return ['secret-key', 'postgres'].some((name) => existsSync(join(folder, name)));
}

/**
 * Makes the data folder, and those above it, where they are not there yet. Not with `recursive`: where the system says of a folder in one that
 * exists that there is no such place, as below /proc, Node asks again for ever.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isFolder(folder)) return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await isFolder(above))) throw error;
    await makeDataFolder(above);
    await makeDataFolder(folder);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
