// Imported first, for its effect: on an older Node, later imports fail with an error that does not name the cause.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This needs Node 22.18 or later, and you are running ${process.version}. "npm ci" installs a recent Node as the package ` +
      '"node" if its install script is allowed to run, and the npm scripts use it.',
  );
  process.exit(1);
}
