import { globSync } from 'node:fs';
import { root } from './markdown.js';

/** The paths of all pages of the documentation, from the root. */
export function pagePaths(): string[] {
  const pages = globSync('docs/**/*.md', { cwd: root });
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages.sort()];
}
