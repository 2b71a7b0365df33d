/**
 * The programs that tests need on the machine. `test/run.ts` installs missing ones before the first
 * suite; other code only finds them.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Program {
  title: string;
  /** Environment variable that overrides the path. */
  variable?: string;
  /** Names on the PATH, the first one found is used. */
  commands: readonly string[];
  /** Glob patterns of executables that are not on the PATH. */
  places?: readonly string[];
  /** Commands that must be on the PATH as well. */
  companions?: readonly string[];
  /** Packages of Debian and Ubuntu. */
  packages: readonly string[];
}

const programs = {
  chromium: {
    title: 'Chromium',
    variable: 'CHROME_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'],
    places: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    packages: ['chromium', 'fonts-liberation'],
  },
  firefox: {
    title: 'Firefox',
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    packages: ['firefox-esr'],
  },
  webkit: {
    title: 'WebKitGTK',
    variable: 'WEBKIT_PATH',
    commands: [],
    places: ['/usr/lib/*-linux-gnu/webkit2gtk-4.1/MiniBrowser'],
    // The driver of the browser, and the screen that it needs.
    companions: ['WebKitWebDriver', 'Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
  redis: { title: 'Redis', commands: ['redis-server'], packages: ['redis-server'] },
  postgresql: {
    title: "Debian's PostgreSQL",
    commands: [],
    places: ['/usr/lib/postgresql/*/bin/initdb'],
    packages: ['postgresql'],
  },
  pgbouncer: {
    title: 'PgBouncer',
    commands: ['pgbouncer'],
    places: ['/usr/sbin/pgbouncer'],
    packages: ['pgbouncer'],
  },
  clamd: {
    title: 'ClamAV',
    commands: ['clamd'],
    places: ['/usr/sbin/clamd'],
    packages: ['clamav-daemon'],
  },
  nginx: { title: 'nginx', commands: ['nginx'], places: ['/usr/sbin/nginx'], packages: ['nginx'] },
} satisfies Record<string, Program>;

/** A program that a suite can need. */
export type ProgramName = keyof typeof programs;

/** A browser that the tests can drive. */
export type BrowserName = 'chromium' | 'firefox' | 'webkit';

/** The time limit for another process that holds the lock of the package manager. */
const lockTimeoutSeconds = 300;

/** Arguments of Chromium: root cannot use its sandbox, and containers have a small `/dev/shm`. */
export const chromiumArguments = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'];

/**
 * The path of a program, or undefined when it is not installed.
 *
 * @throws Error when its environment variable names something that cannot run.
 */
export function findProgram(name: ProgramName): string | undefined {
  const { variable, commands, places = [], companions = [] }: Program = programs[name];
  const chosen = variable && process.env[variable];
  if (chosen && !isExecutable(chosen)) throw new Error(`${variable}=${chosen} is not an executable file.`);
  if (!companions.every(findOnPath)) return undefined;
  return chosen || commands.map(findOnPath).find(Boolean) || globSync(places).sort().find(isExecutable);
}

/**
 * The path of a program.
 *
 * @throws Error when it is not installed, with the command that installs it.
 */
export function programPath(name: ProgramName): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(explainMissing(name));
  return path;
}

/** A sentence with the missing program and the command that installs it. */
export function explainMissing(name: ProgramName): string {
  const { title, variable, packages }: Program = programs[name];
  const otherwise = variable === undefined ? '' : ` (or set ${variable}=/path/to/it)`;
  return `${title} is not installed. To install it on Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}${otherwise}`;
}

/**
 * Installs all missing ones of these programs at once, as root on Debian or Ubuntu. Does nothing
 * elsewhere.
 */
export async function installPrograms(names: readonly ProgramName[]): Promise<void> {
  const packages = names.filter((name) => findProgram(name) === undefined).flatMap((name) => programs[name].packages);
  if (packages.length === 0 || process.getuid?.() !== 0 || findOnPath('apt-get') === undefined) return;
  console.log(`Installing ${packages.join(', ')} …`);
  // Container images have no package lists, or old ones with an old browser. A machine that cannot
  // download new lists may still install from the old ones.
  await aptGet('update');
  if (!(await aptGet('install', '-y', '--no-install-recommends', ...packages)))
    console.error(`apt-get could not install ${packages.join(', ')}.`);
}

/** Whether it succeeded. Waits while another process holds a lock. */
async function aptGet(...words: string[]): Promise<boolean> {
  const options = ['-qq', '-o', `DPkg::Lock::Timeout=${lockTimeoutSeconds}`];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const endsAt = Date.now() + lockTimeoutSeconds * 1_000;
  for (;;) {
    const { status, stderr } = spawnSync('apt-get', [...options, ...words], { env, encoding: 'utf8' });
    if (status === 0) return true;
    // apt-get waits for the lock of dpkg, but not for the lock of the package lists.
    if (!stderr.includes('Could not get lock') || Date.now() > endsAt) {
      console.error(stderr.trimEnd());
      return false;
    }
    await pause(2_000);
  }
}

function findOnPath(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
