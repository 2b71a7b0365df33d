import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The locations of data folders. */
export interface DataFolderPlaces {
  /** The current folder. */
  current: string;
  /**
   * The folder for application data: `XDG_DATA_HOME`, or `.local/share` in the home folder;
   * `undefined` for an account without a home folder, such as any user id in a container.
   */
  dataHome: string | undefined;
}

/** The locations for this process. */
export function placesOf(variables: Readonly<Record<string, string | undefined>>): DataFolderPlaces {
  const home = homeFolder();
  const dataHome = variables['XDG_DATA_HOME'] || (home === undefined ? undefined : join(home, '.local', 'share'));
  return { current: process.cwd(), dataHome };
}

function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds the data folder without `BRIDGE_DATA_DIR`: the nearest non-empty `.data` from the current
 * folder up to its package, else a fixed one. So a command started in another folder finds the same
 * database and key.
 *
 * @throws Error that names `BRIDGE_DATA_DIR` when the account has no home folder.
 */
export function findDataFolder({ current, dataHome }: DataFolderPlaces): string {
  const folder = nearestDataFolder(current) ?? fixedFolder(dataHome);
  if (folder !== undefined) return folder;
  throw new Error(
    'There is no data folder, because this account has no home folder. Set BRIDGE_DATA_DIR to a folder that it may write to, or DATABASE_URL and BRIDGE_SECRET_KEY, with which none is needed.',
  );
}

/**
 * Returns a warning before a second database and key are created: `folder` is empty, and another
 * location has data. Resolves with `undefined` without a warning.
 */
export function describeOtherData(folder: string, { current, dataHome }: DataFolderPlaces): string | undefined {
  if (holdsData(folder)) return undefined;
  const places = [nearestDataFolder(current), fixedFolder(dataHome)];
  const other = places.find((place) => place !== undefined && place !== folder && holdsData(place));
  return (
    other &&
    `A new database and key are created in ${folder}. The ones in ${other} are not used; BRIDGE_DATA_DIR selects the folder.`
  );
}

function fixedFolder(dataHome: string | undefined): string | undefined {
  return dataHome === undefined ? undefined : join(dataHome, 'licensing-bridge');
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
