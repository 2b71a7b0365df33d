/**
 * Finds the browsers that the tests drive. `node test/support/browsers.mjs [--install] [chromium|firefox|webkit …]` prints
 * one `name=path` line each, or says how to get what is missing.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const browsers = {
  chromium: {
    variable: 'CHROME_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'],
    places: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    packages: ['chromium', 'fonts-liberation'],
  },
  firefox: {
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    packages: ['firefox-esr'],
  },
  webkit: {
    variable: 'WEBKIT_PATH',
    commands: [],
    // WebKitGTK's own small browser is in no folder of the PATH.
    places: ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
    // It is driven through the one and shows itself on the other.
    companions: ['WebKitWebDriver', 'Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
};

/** What Chromium needs to run here: as root it refuses its own sandbox, and containers have a small /dev/shm. */
export const chromiumArguments = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'];

/**
 * The browsers to test in: those that BROWSERS names, with commas between them, or all three.
 * @returns {(keyof typeof browsers)[]}
 * @throws {Error} when it names another
 */
export function wantedBrowsers() {
  const names = process.env.BROWSERS?.split(',') ?? Object.keys(browsers);
  const unknown = names.filter((name) => !(name in browsers));
  if (unknown.length > 0) throw new Error(`BROWSERS may name ${Object.keys(browsers)}, not ${unknown}.`);
  return names;
}

/**
 * The path of a browser, or undefined when there is none.
 * @param {keyof typeof browsers} name
 * @throws {Error} when its variable names something that cannot run
 */
export function find(name) {
  const { variable, commands, places, companions = [] } = browsers[name];
  const chosen = process.env[variable];
  if (chosen && !isExecutable(chosen)) throw new Error(`${variable}=${chosen} is not an executable file.`);
  if (!companions.every(findOnPath)) return undefined;
  return chosen || commands.map(findOnPath).find(Boolean) || places.find(isExecutable);
}

/**
 * The path of a browser. With `install`, as root on Debian, gets a missing one from the distribution first.
 * @param {keyof typeof browsers} name
 * @throws {Error} when there is none, with the command that installs it
 */
export function ensure(name, { install = false } = {}) {
  const present = find(name);
  if (present) return present;
  if (install && canInstall()) installPackages(browsers[name].packages);
  const installed = find(name);
  if (installed) return installed;
  const { variable, packages, companions } = browsers[name];
  const beside = companions ? `, with ${companions.join(' and ')} on the PATH` : '';
  throw new Error(
    `No ${name} found. Install it (Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}) or set ${variable}=/path/to/it${beside}.`,
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findOnPath(command) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
}

function installPackages(packages) {
  const aptGet = (...words) =>
    spawnSync('apt-get', words, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
  // The package lists of a bare image are empty, and fetching them costs more than the browser on a machine that has them.
  if (!install() && aptGet('update', '-qq')) install();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const names = words.filter((word) => word in browsers);
  for (const name of names.length > 0 ? names : ['chromium']) {
    try {
      console.log(`${name}=${ensure(name, { install: words.includes('--install') })}`);
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
