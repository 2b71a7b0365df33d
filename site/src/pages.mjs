import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Pages beside `docs/`, with their ids on the site. */
const rootPages = {
  'README.md': 'readme',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security-policy',
};

/** The paths of all pages, from the root of the repository, with their ids. */
export function pageIds() {
  const pages = globSync('docs/**/*.md', { cwd: root })
    .sort()
    .map((path) => [path, path.slice('docs/'.length, -'.md'.length)]);
  return new Map([...pages, ...Object.entries(rootPages)]);
}

/** Reads a file of the repository. */
export function read(path) {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** The absolute path of a file of the repository. */
export function absolute(path) {
  return `${root}${path}`;
}

/** Returns the URL of a link of a page on the site; `undefined` where the link leads to no page. */
export function resolveLink(from, link, ids = pageIds()) {
  const [file = '', anchor] = link.split('#');
  const id = ids.get(posix.join(posix.dirname(from), file));
  if (id === undefined) return undefined;
  const url = id === 'index' ? '/' : `/${id}/`;
  return anchor === undefined ? url : `${url}#${anchor}`;
}
