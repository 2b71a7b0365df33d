/**
 * `npm run build`: everything that is shipped, into `dist/`. Does nothing when `dist/` already holds what these sources
 * give. Builds beside `dist/` and swaps at the end, so that nobody meets half a build.
 */
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { build as viteBuild } from 'vite';
import { writeEditorData } from './editor-data.mjs';
import { writeIntegrity } from './integrity.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = [
  'src/**/*.*',
  'test/config/*',
  'test/support/{build,editor-data,integrity}.mjs',
  '*.json',
  'vite.config.ts',
];

process.chdir(root);
const started = performance.now();
const fingerprint = fingerprintOf(sources);
if (readIfThere('dist/.fingerprint') === fingerprint) {
  console.log('dist/ is up to date.');
} else {
  removeAbandoned();
  const next = `dist-${process.pid}`;
  process.on('exit', () => fs.rmSync(next, { recursive: true, force: true }));
  await buildInto(next);
  fs.writeFileSync(join(next, '.fingerprint'), fingerprint);
  swap(next, 'dist');
  console.log(`Built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

async function buildInto(folder) {
  await Promise.all([
    run('tsc', ['-p', 'test/config/tsconfig.build.json', '--outDir', folder]),
    run('cem', ['analyze', '--config', 'test/config/manifest.config.mjs', '--outdir', folder, '--quiet']),
    bundleInto(folder),
  ]);
  const { createProtocolSchema } = await tsImport('../../src/channel/protocol-schema.ts', import.meta.url);
  fs.writeFileSync(join(folder, 'channel.schema.json'), `${JSON.stringify(createProtocolSchema(), null, 2)}\n`);
  fs.chmodSync(join(folder, 'bridge/cli.js'), 0o755);
  writeEditorData(folder);
  // What a translator needs, and what lit-localize makes it from.
  for (const name of ['catalogue.ts', 'en.xlf', 'es.xlf'])
    fs.cpSync(join('src/element/locales', name), join(folder, 'locales', name));
  const integrity = writeIntegrity(join(folder, 'cdn'));
  for (const [path, digest] of Object.entries(integrity)) console.log(`cdn/${path} ${digest}`);
}

async function bundleInto(folder) {
  for (const [mode, part] of [
    ['npm', ''],
    ['cdn', 'cdn'],
    ['bridge', 'bridge'],
    ['assets', 'bridge/assets'],
  ]) {
    await viteBuild({ root, mode, logLevel: 'warn', build: { outDir: join(folder, part) } });
  }
}

function run(command, words) {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules/.bin', command), words, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}.`))));
  });
}

/** The contents, not the times: a fresh clone and a touched file are the same build. */
function fingerprintOf(patterns) {
  const hash = createHash('sha256');
  for (const path of fs.globSync(patterns).sort()) hash.update(`${path}\0`).update(fs.readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function readIfThere(path) {
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined;
}

/** What a build that was killed has left. */
function removeAbandoned() {
  for (const folder of fs.globSync('dist-*')) {
    try {
      process.kill(Number(folder.split('-')[1]), 0);
    } catch {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Two builds may end at the same time: whoever comes second moves the other's folder away and tries again. */
function swap(next, current) {
  for (let attempt = 1; ; attempt += 1) {
    const old = `${next}-old-${attempt}`;
    try {
      if (fs.existsSync(current)) fs.renameSync(current, old);
      fs.renameSync(next, current);
      return;
    } catch (error) {
      if (attempt === 10) throw error;
    } finally {
      fs.rmSync(old, { recursive: true, force: true });
    }
  }
}
