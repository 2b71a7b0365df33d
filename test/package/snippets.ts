import assert from 'node:assert/strict';
import { readPages } from '../support/pages.js';

const pages = readPages();

/** A file in the documentation, by its name. Pages that show the same file have the same text. */
export function snippet(name: string): string {
  const pattern = new RegExp('^```\\w+ file=' + name.replaceAll('.', '\\.') + '\\n([\\s\\S]*?)^```', 'gm');
  const found = pages.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, code = '']) => code));
  assert.ok(found[0], `No page has a snippet ${name}`);
  assert.equal(new Set(found).size, 1, `Pages differ in their snippet ${name}`);
  return found[0];
}
