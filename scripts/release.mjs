/**
 * `npm run release`: writes an SBOM of each package into `dist-sbom/` and publishes both with
 * provenance, from CI. Refuses while something is missing that users would miss.
 */
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { canLinkTo, publishedReadme } from './published-readme.mjs';
import { writeSbom } from './sbom.mjs';

process.chdir(new URL('..', import.meta.url).pathname);
const folders = ['.', './src/bridge'];
const manifests = folders.map((folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')));
const [{ version }] = manifests;
const changelog = readFileSync('CHANGELOG.md', 'utf8');

const missing = [];
for (const { name, repository, homepage, bugs } of manifests) {
  // The links and pictures of the published README lead to the repository, and provenance names it.
  if (!repository) missing.push(`Set "repository" in the package.json of ${name} to the address of the repository.`);
  else if (!canLinkTo(repository))
    missing.push(`Write "repository" of ${name} as {"type":"git","url":"git+https://host/owner/name.git"}.`);
  if (!homepage) missing.push(`Set "homepage" in the package.json of ${name}.`);
  if (!bugs) missing.push(`Set "bugs" in the package.json of ${name}.`);
}
if (!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog)) {
  missing.push(`Give version ${version} a section with a date in CHANGELOG.md.`);
}
if (git('status', '--porcelain') !== '') missing.push('Commit or remove the changes in the working tree.');
if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) {
  missing.push(`Tag the commit: git tag v${version}`);
}
if (missing.length > 0) {
  console.error(`Version ${version} cannot be published yet:\n${missing.map((each) => `- ${each}`).join('\n')}`);
  process.exit(1);
}

// The check builds first.
run('npm', 'run', 'check');
for (const folder of folders) console.log(`Wrote ${writeSbom(folder, 'dist-sbom')}.`);
manifests.forEach(({ repository }, index) => linkReadme(folders[index], repository));
for (const folder of folders) run('npm', 'publish', folder, '--provenance', '--access', 'public');

/** Replaces the README of a package until this process ends. */
function linkReadme(folder, repository) {
  const path = `${folder}/README.md`;
  const readme = readFileSync(path, 'utf8');
  process.on('exit', () => writeFileSync(path, readme));
  writeFileSync(path, publishedReadme(readme, repository, `v${version}`));
}

function run(command, ...words) {
  const { status } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function git(...words) {
  return spawnSync('git', words, { encoding: 'utf8' }).stdout.trim();
}
