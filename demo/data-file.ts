import { fileURLToPath } from 'node:url';

/** The path of one of the files that the demo's bridge is filled with. */
export function dataFile(name: string): string {
  return fileURLToPath(new URL(`data/${name}`, import.meta.url));
}
