import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from '../built/package-files.js';

const contentTypes = {
  'apply.js': 'text/javascript; charset=utf-8',
  'apply.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
} as const;

/** The files that the pages load. */
export type ApplyAssetName = keyof typeof contentTypes;

/** A served file. */
export interface ApplyAsset {
  body: string;
  contentType: string;
}

/** The scripts and the style sheets of the pages, with URLs that change with their content. */
export interface ApplyAssets {
  /** The path of a file, such as `/assets/1f8b….css`. */
  href(name: ApplyAssetName): string;
  /** The file at a path of {@link ApplyAssets.href}. */
  at(path: string): ApplyAsset | undefined;
}

/**
 * Reads the assets of the pages from a folder, by default `dist/assets` of this package.
 *
 * @throws Error when they are not built yet.
 */
export function loadApplyAssets(folder: string = builtFolder('assets')): ApplyAssets {
  const files = new Map<string, ApplyAsset>();
  const hrefs = new Map<string, string>();
  for (const [name, contentType] of Object.entries(contentTypes)) {
    const path = join(folder, name);
    if (!existsSync(path)) throw new Error(`${name} is missing in the built assets. Run "npm run build" first.`);
    const body = readFileSync(path, 'utf8');
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const href = `/assets/${hash}.${name}`;
    hrefs.set(name, href);
    files.set(href, { body, contentType });
  }
  return { href: (name) => hrefs.get(name) ?? '', at: (path) => files.get(path) };
}
