import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { read, root } from '../../scripts/docs/markdown.js';
import { packedPage } from '../../scripts/packed-docs.mjs';
import { packInto } from '../support/consumer.js';
import { anchorsOf, isAddress, targetsOf } from '../support/links.js';

describe('the tarball of licensing-bridge', () => {
  let folder: string;
  let files: string[];
  const packed = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'packed-docs-'));
    execFileSync('tar', ['-xzf', await packInto(folder, 'licensing-bridge'), '-C', folder]);
    files = globSync('**/*', { cwd: join(folder, 'package') });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has every page for operators', () => {
    const pages = [...globSync('docs/bridge/*.md', { cwd: root }), 'docs/going-live.md'].sort();
    assert.ok(pages.length > 10);
    assert.deepEqual(files.filter((path) => /^docs\/.+\./.test(path)).sort(), pages);
  });

  it('has no link in its pages and its README that leads nowhere', () => {
    const pages = files.filter((path) => path === 'README.md' || /^docs\/.+\.md$/.test(path));
    const links = pages.flatMap((page) => targetsOf(packed(page)).map((target) => ({ page, target })));
    assert.ok(links.length > 50);
    const broken = links.filter(({ page, target }) => {
      if (isAddress(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      return !files.includes(file) || (anchor !== undefined && !anchorsOf(packed(file)).has(anchor));
    });
    assert.deepEqual(broken, []);
  });

  it('has the pages that the messages and the deployment files of the bridge name', () => {
    const sources = globSync(['src/bridge/**/*.ts', 'deploy/*'], { cwd: root, exclude: ['src/bridge/dist'] });
    const named = new Set(sources.flatMap((path) => read(path).match(/\bdocs\/[\w/-]+\.md\b/g) ?? []));
    assert.ok(named.size > 3);
    assert.deepEqual(
      [...named].filter((path) => !files.includes(path)),
      [],
    );
  });

  it('has the deployment files, with the Dockerfile that builds an image from the package', () => {
    const fromSources = ['deploy/Dockerfile', 'deploy/Dockerfile.dockerignore'];
    const shared = globSync('deploy/*.*', { cwd: root }).filter(
      (path) => !fromSources.includes(path) && path !== 'deploy/package.Dockerfile',
    );
    assert.deepEqual(
      files.filter((path) => path.startsWith('deploy/')).sort(),
      ['deploy/Dockerfile', ...shared].sort(),
    );
    for (const path of shared) assert.equal(packed(path), read(path));
    assert.equal(packed('deploy/Dockerfile'), read('deploy/package.Dockerfile'));
  });

  it('has every file that its Dockerfile copies', () => {
    const copied = [...packed('deploy/Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    assert.ok(copied.length > 2);
    assert.deepEqual(
      copied.filter((path) => !files.includes(path)),
      [],
    );
  });
});

describe('a page in the package', () => {
  const isPacked = (path: string) => path === 'docs/bridge/run.md' || path.startsWith('deploy/');
  const text =
    '[Run](run.md#start), [alerts](../../deploy/alerts.yaml), [a\nrecipe](../cookbook.md#tunnel), [npm](https://npmjs.com), [here](#here)';

  it('links to the repository, at the tag of the version, for what the package does not have', () => {
    const repository = { type: 'git', url: 'git+https://code.example/owner/name.git' };
    assert.equal(
      packedPage('docs/bridge/deploy.md', text, isPacked, repository, 'v1.2.3'),
      text.replace('../cookbook.md', 'https://code.example/owner/name/blob/v1.2.3/docs/cookbook.md'),
    );
  });

  it('names the page instead of linking to it while the address of the repository is unknown', () => {
    assert.equal(
      packedPage('docs/bridge/deploy.md', text, isPacked, undefined, 'v1.2.3'),
      text.replace('[a\nrecipe](../cookbook.md#tunnel)', 'a\nrecipe (`docs/cookbook.md` of the repository)'),
    );
  });

  it('keeps code as it is', () => {
    const code = '```js\nconst first = [list](index.js);\n```\n';
    assert.equal(packedPage('docs/bridge/deploy.md', code, isPacked, undefined, 'v1.2.3'), code);
  });
});
