/**
 * `npm run commits`: checks the subjects of the commits since the rules of CONTRIBUTING.md apply.
 * Without the history, as in an archive or a shallow clone, it checks nothing.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The last commit before the rules. */
const first = '56ec3cfe';

if (spawnSync('git', ['merge-base', '--is-ancestor', first, 'HEAD'], { stdio: 'ignore' }).status === 0) {
  const config = join(import.meta.dirname, 'commitlint.config.mjs');
  const words = ['--config', config, '--from', first];
  const { status } = spawnSync(join(import.meta.dirname, 'node_modules/.bin/commitlint'), words, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.log('The history is not here: no subject of a commit is checked.');
}
