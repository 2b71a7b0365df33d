import fs from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { addressIn, canLinkTo, replaceLinks } from './published-readme.mjs';

const bridge = 'src/bridge';
/** The folders of the package of the bridge that are copies. Git ignores them. */
export const packedFolders = ['docs', 'deploy'].map((name) => join(bridge, name));

const pages = ['docs/bridge/*.md', 'docs/going-live.md'];
/** Replaced in the package: it builds the image from the sources. */
const fromSources = ['deploy/Dockerfile', 'deploy/Dockerfile.dockerignore'];
const dockerfile = 'deploy/package.Dockerfile';

/**
 * Copies the pages for operators and the deployment files into the folder of the package
 * `licensing-bridge`, at the same paths as in the repository, so that their links, commands and
 * messages name the same files. The Dockerfile is the one that builds an image from the package.
 */
export function packDocs() {
  const { repository, version } = JSON.parse(fs.readFileSync(join(bridge, 'package.json'), 'utf8'));
  const files = fs.globSync([...pages, 'deploy/*.*'], { exclude: [...fromSources, dockerfile] });
  const packed = new Set([...files, fromSources[0]]);
  for (const folder of packedFolders) fs.rmSync(folder, { recursive: true, force: true });
  for (const path of files) {
    const text = fs.readFileSync(path, 'utf8');
    const isPage = path.endsWith('.md');
    write(path, isPage ? packedPage(path, text, (each) => packed.has(each), repository, `v${version}`) : text);
  }
  write(fromSources[0], fs.readFileSync(dockerfile, 'utf8'));
}

/**
 * Returns a page as the package has it. Its links to files that the package does not have lead to
 * the tag of the version in the repository. While the manifest lacks the address of the repository,
 * the name of the file replaces the link.
 *
 * @param {string} path The path of the page in the repository.
 * @param {string} text
 * @param {(path: string) => boolean} isPacked Whether the package has a file of the repository.
 * @param {string | { url: string } | undefined} repository The `repository` of the manifest.
 * @param {string} tag Such as `v1.2.3`.
 * @returns {string}
 */
export function packedPage(path, text, isPacked, repository, tag) {
  return replaceLinks(text, ({ whole, picture, label, target }) => {
    const linked = posix.join(posix.dirname(path), target);
    const file = linked.replace(/#.*/, '');
    if (isPacked(file)) return whole;
    return repository !== undefined && canLinkTo(repository)
      ? `${picture}${label}(${addressIn(repository, tag, linked, picture !== '')})`
      : `${label.slice(1, -1)} (\`${file}\` of the repository)`;
  });
}

function write(path, text) {
  const target = join(bridge, path);
  fs.mkdirSync(dirname(target), { recursive: true });
  fs.writeFileSync(target, text);
}
