import assert from 'node:assert/strict';
import { read } from '../../scripts/docs/markdown.js';
import { pagePaths } from '../../scripts/docs/pages.js';

/** A page of the documentation. */
export interface Page {
  /** The path from the root of the repository. */
  path: string;
  text: string;
}

/** Reads all pages of the documentation. */
export function readPages(): Page[] {
  return pagePaths().map((path) => ({ path, text: read(path) }));
}

/** Returns the section of a page under a heading, up to the next one of the same level. */
export function sectionOf(path: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0] ?? '';
  const lines = read(path).split('\n');
  const start = lines.indexOf(heading);
  assert.notEqual(start, -1, `${path} has no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level.length);
  return rest.slice(0, end === -1 ? undefined : end).join('\n');
}
