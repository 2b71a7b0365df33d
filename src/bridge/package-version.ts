import { createRequire } from 'node:module';

/** The version of this package. By the package's own name: the file is found from the sources and from the bundle alike. */
export function packageVersion(): string {
  const manifest = createRequire(import.meta.url)('licensing-apply/package.json') as { version: string };
  return manifest.version;
}
