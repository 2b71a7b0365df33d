import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The operating system account that runs PostgreSQL. */
export interface PostgresAccount {
  /** Makes it the owner of a file or folder. Does nothing when it is the current account. */
  own(path: string): Promise<void>;
  /** Returns the command that runs a PostgreSQL program under this account. */
  command(program: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/**
 * Finds the account for PostgreSQL, which refuses to run as root. As root, this is `postgres`,
 * which is created when it does not exist; otherwise the current account. `paths` are the files and
 * folders that it must reach.
 *
 * @throws Error that says what to do when the account cannot be created or cannot reach `paths`.
 */
export async function postgresAccount(paths: string[]): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) {
    return { own: () => Promise.resolve(), command: (file, args) => ({ file, args }) };
  }
  const { uid, gid } = await findOrCreateUser();
  const own = (path: string) => chown(path, uid, gid);
  const unreachable = await firstClosedFolder(paths, uid, gid);
  if (unreachable === undefined) return { own, command: (file, args) => ({ file, args, uid, gid }) };
  // A checkout below a folder that only root may enter, such as /root or a folder of `mktemp -d`:
  // the server still runs as an ordinary account and gets only the capability to enter such
  // folders.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (setpriv === undefined) {
    throw new Error(
      `The account "postgres" cannot enter ${unreachable}. Run the bridge as an ordinary user, allow others to enter that folder, or set DATABASE_URL.`,
    );
  }
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const keep = [
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    // Without it the kernel ignores the capability in access(2), with which PostgreSQL finds its
    // own programs.
    '--securebits=+no_setuid_fixup',
  ];
  return { own, command: (file, args) => ({ file: setpriv, args: [...drop, ...keep, file, ...args] }) };
}

async function findOrCreateUser(): Promise<{ uid: number; gid: number }> {
  const known = await findUser();
  if (known !== undefined) return known;
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  } catch (cause) {
    throw new Error(
      'PostgreSQL does not run as root and the account "postgres" could not be created. Run the bridge as an ordinary user or set DATABASE_URL.',
      { cause },
    );
  }
  const made = await findUser();
  if (made === undefined) throw new Error('The account "postgres" was created but cannot be found.');
  return made;
}

async function findUser(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function firstClosedFolder(paths: string[], uid: number, gid: number): Promise<string | undefined> {
  for (const path of paths) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (!(await mayEnter(folder, uid, gid))) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

async function mayEnter(folder: string, uid: number, gid: number): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(folder);
  if (owner === uid) return (mode & 0o100) !== 0;
  if (group === gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
