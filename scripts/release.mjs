/**
 * `npm run release`: publishes the package with provenance, from CI. Refuses while something is
 * missing that users would miss.
 */
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

process.chdir(new URL('..', import.meta.url).pathname);
const { name, version, repository, homepage, bugs } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');

const missing = [];
// The registry resolves the links and pictures of README.md by the repository, and provenance names
// it.
if (!repository) missing.push('Set "repository" in package.json to the address of the repository.');
if (!homepage) missing.push('Set "homepage" in package.json.');
if (!bugs) missing.push('Set "bugs" in package.json.');
if (!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog)) {
  missing.push(`Give version ${version} a section with a date in CHANGELOG.md.`);
}
if (git('status', '--porcelain') !== '') missing.push('Commit or remove the changes in the working tree.');
if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) {
  missing.push(`Tag the commit: git tag v${version}`);
}
if (missing.length > 0) {
  console.error(`${name} ${version} cannot be published yet:\n${missing.map((each) => `- ${each}`).join('\n')}`);
  process.exit(1);
}

// The check builds first.
for (const [command, ...words] of [
  ['npm', 'run', 'check'],
  ['npm', 'publish', '--provenance', '--access', 'public'],
]) {
  const { status } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function git(...words) {
  return spawnSync('git', words, { encoding: 'utf8' }).stdout.trim();
}
