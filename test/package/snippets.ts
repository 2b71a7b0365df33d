import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const readme = await readFile(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

/** A file that README.md shows, by the name that it gives it. */
export function snippet(name: string): string {
  const found = new RegExp('^```\\w+ file=' + name.replaceAll('.', '\\.') + '\\n([\\s\\S]*?)^```', 'm').exec(readme);
  assert.ok(found?.[1], `README.md has no snippet ${name}`);
  return found[1];
}
