// Imported first, for its effect: on an older Node, later imports fail with an error that does not
// name the cause.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = engines.node.replace('>=', '');
const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `This needs Node ${oldest} or later, and you are running ${process.version}. "npm ci" installs a recent Node as the ` +
      'package "node" if its install script is allowed to run, and the npm scripts use it.',
  );
  process.exit(1);
}
