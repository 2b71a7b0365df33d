import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `integrity.json` into a folder of scripts: what `integrity` attributes and the `integrity` of an import map take, by the
 * path of each script inside of the folder. Returns it.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function writeIntegrity(folder) {
  const scripts = fs.globSync('**/*.js', { cwd: folder }).sort();
  const integrity = Object.fromEntries(scripts.map((path) => [path, digestOf(fs.readFileSync(join(folder, path)))]));
  fs.writeFileSync(join(folder, 'integrity.json'), `${JSON.stringify(integrity, null, 2)}\n`);
  return integrity;
}

function digestOf(bytes) {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
