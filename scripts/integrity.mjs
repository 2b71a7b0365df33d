import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `integrity.json` into a folder of scripts: the SHA-384 digest of each script, by its path
 * inside the folder. A page puts the digests into `integrity` attributes and into the `integrity`
 * of an import map.
 * @param {string} folder
 */
export function writeIntegrity(folder) {
  const scripts = fs.globSync('**/*.js', { cwd: folder }).sort();
  const integrity = Object.fromEntries(scripts.map((path) => [path, digestOf(fs.readFileSync(join(folder, path)))]));
  fs.writeFileSync(join(folder, 'integrity.json'), `${JSON.stringify(integrity, null, 2)}\n`);
}

function digestOf(bytes) {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
