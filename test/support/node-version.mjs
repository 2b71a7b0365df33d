// Imported first, for its effect: on an older Node nothing after it would say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node 22.18 or later is needed here, and this is ${process.version}. "npm ci" brings one as the package "node", unless its ` +
      'install script is not allowed to run; the scripts of package.json use it.',
  );
  process.exit(1);
}
