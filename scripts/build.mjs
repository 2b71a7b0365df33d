/**
 * `npm run build`: builds what the packages contain, `licensing-apply` into `dist/` and
 * `licensing-bridge` into `src/bridge/dist/`. Does nothing when both were built from the same
 * sources, but copies the pages of the bridge's package again.
 */
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { build as viteBuild } from 'vite';
import { writeBridgeDeclarations } from './bridge-declarations.mjs';
import { writeEditorData } from './editor-data.mjs';
import { writeIntegrity } from './integrity.mjs';
import { packDocs, packedFolders } from './packed-docs.mjs';
import { removeUnusedDeclarations } from './unused-declarations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const started = performance.now();
const bridgeFolder = 'src/bridge/dist';
const fingerprint = hashFiles(['{src,scripts}/**/*.*', '*.json', 'vite.config.ts']);
packDocs();
if (isBuilt()) {
  console.log('The build is up to date.');
} else {
  // Builds in a separate folder, so that a running demo keeps its files and a failed build changes
  // nothing.
  const folder = `dist-${process.pid}`;
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  await buildInto(folder);
  fs.writeFileSync(join(folder, '.fingerprint'), fingerprint);
  replaceFolder(bridgeFolder, join(folder, 'bridge'));
  replaceFolder('dist', folder);
  console.log(`Built dist/ and ${bridgeFolder}/ in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

async function buildInto(folder) {
  await Promise.all([
    run('tsc', ['-p', 'scripts/tsconfig.build.json', '--outDir', folder]),
    run('cem', ['analyze', '--config', 'scripts/manifest.config.mjs', '--outdir', folder, '--quiet']),
    bundleInto(folder),
  ]);
  const { createProtocolSchema } = await tsImport('../src/channel/protocol-schema.ts', import.meta.url);
  fs.writeFileSync(join(folder, 'channel.schema.json'), `${JSON.stringify(createProtocolSchema(), null, 2)}\n`);
  const { createOpenApiDocument } = await tsImport('../src/bridge/http/openapi/document.ts', import.meta.url);
  // The URL of a bridge on the machine of a developer: the document of a bridge has its own.
  const openApi = createOpenApiDocument('http://127.0.0.1:5171');
  fs.writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(openApi)}\n`);
  // Declarations already, because their frameworks are installed for `npm run test:full` only. It
  // checks them there.
  for (const name of ['svelte.d.ts', 'vue.d.ts']) fs.copyFileSync(join('src/types', name), join(folder, 'types', name));
  // `/docs` of the bridge serves them as they are.
  fs.mkdirSync(join(folder, 'bridge/assets/swagger-ui'));
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ]) {
    fs.copyFileSync(join('node_modules/swagger-ui-dist', name), join(folder, 'bridge/assets/swagger-ui', name));
  }
  // The fonts of PDF documents. The bridge reads the files, because bundled as text they would be a
  // third larger.
  fs.mkdirSync(join(folder, 'bridge/fonts'));
  for (const name of ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf', 'LICENSE']) {
    fs.copyFileSync(join('node_modules/dejavu-fonts-ttf', name), join(folder, 'bridge/fonts', basename(name)));
  }
  fs.chmodSync(join(folder, 'bridge/cli.js'), 0o755);
  writeBridgeDeclarations(join(folder, 'bridge/types'), join(folder, 'contract'));
  removeUnusedDeclarations(folder, JSON.parse(fs.readFileSync('package.json', 'utf8')).exports);
  writeEditorData(folder);
  writeIntegrity(join(folder, 'cdn'));
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

/** `dist/` is replaced last, so its fingerprint covers both. */
function isBuilt() {
  const path = 'dist/.fingerprint';
  return fs.existsSync(bridgeFolder) && fs.existsSync(path) && fs.readFileSync(path, 'utf8') === fingerprint;
}

function replaceFolder(target, source) {
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(source, target);
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules/.bin', command), args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} exited with code ${code}.`))));
  });
}

/** Hashes contents and not times, so that a checkout or a saved file does not cause a build. */
function hashFiles(patterns) {
  const hash = createHash('sha256');
  const paths = fs.globSync(patterns, { exclude: [bridgeFolder, ...packedFolders] });
  for (const path of paths.sort()) hash.update(`${path}\0`).update(fs.readFileSync(path)).update('\0');
  return hash.digest('hex');
}
