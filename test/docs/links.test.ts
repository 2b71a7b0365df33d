import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { read, root } from '../../scripts/docs/markdown.js';
import { unusedParts } from '../../scripts/docs/docs.js';
import { errorCodes, LicensingApplyError } from '../../src/element/errors.js';
import { anchorsOf, isAddress, targetsOf } from '../support/links.js';
import { readPages } from '../support/pages.js';

const pages = readPages();

test('Every link between the pages of the documentation leads to a page and a heading that exist.', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((link) => !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('Every picture of the documentation exists and has less than 200 kB.', () => {
  const pictures = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, source = '']) => posix.join(posix.dirname(path), source)),
  );
  assert.ok(pictures.length >= 2);
  for (const picture of pictures) assert.ok(statSync(`${root}${picture}`).size < 200_000, picture);
});

test('Every file of the repository that the documentation names exists.', () => {
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|scripts|demo|deploy)\/[\w./-]+)`/g)]
      .filter(([, name = '']) => !existsSync(`${root}${name}`))
      .map(([, name = '']) => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('Every page of the documentation can be reached from README.md.', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    for (const link of linksOf(read(path))) {
      const target = posix.join(posix.dirname(path), link.split('#')[0] ?? '');
      if (pages.some((page) => page.path === target)) reached.add(target);
    }
  }
  assert.deepEqual(
    pages.map(({ path }) => path).filter((path) => !reached.has(path)),
    [],
  );
});

test('README.md is short enough for the registry: at most 200 lines and 20 kB.', () => {
  const readme = read('README.md');
  const lines = readme.trimEnd().split('\n').length;
  assert.ok(lines <= 200, `${lines} lines`);
  assert.ok(Buffer.byteLength(readme) < 20_000, `${Buffer.byteLength(readme)} bytes`);
});

test('Every generated part of the documentation is on a page.', () => {
  assert.deepEqual(unusedParts(), []);
});

test('The message of every error stands alone without a link, and each code has a section in the documentation.', () => {
  const sections = anchorsOf(read('docs/element/errors.md'));
  for (const code of errorCodes) {
    assert.doesNotMatch(new LicensingApplyError(code).message, /https?:/);
    assert.ok(sections.has(code), code);
  }
});

/** The targets of all links that are not to other sites. */
function linksOf(text: string): string[] {
  return targetsOf(text).filter((target) => !isAddress(target));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : posix.join(posix.dirname(from), file);
  if (!existsSync(`${root}${target}`)) return false;
  return anchor === undefined || anchorsOf(read(target)).has(anchor);
}
