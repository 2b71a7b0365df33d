/** The manifest describes what is installed, not our sources: everything public comes through two doors. */
function describeDoors() {
  return {
    name: 'describe-doors',
    packageLinkPhase({ customElementsManifest }) {
      const door = { kind: 'javascript-module', path: 'dist/element.js', declarations: [], exports: [] };
      const registrations = [];
      for (const module of customElementsManifest.modules) {
        for (const declaration of module.declarations ?? []) {
          if (declaration.customElement || declaration.superclass?.name === 'Event')
            door.declarations.push(describePublic(declaration));
        }
        registrations.push(...(module.exports ?? []).filter(({ kind }) => kind === 'custom-element-definition'));
      }
      door.exports = door.declarations.map((declaration) => ({
        kind: 'js',
        name: declaration.name,
        declaration: { name: declaration.name, module: door.path },
      }));
      const defining = {
        kind: 'javascript-module',
        path: 'dist/licensing-apply.js',
        declarations: [],
        exports: registrations.map((registration) => ({
          ...registration,
          declaration: { name: registration.declaration.name, module: door.path },
        })),
      };
      customElementsManifest.modules = [defining, door];
    },
  };
}

function describePublic(declaration) {
  const members = declaration.members?.filter(
    ({ privacy, name: member }) => privacy !== 'private' && !member.startsWith('#'),
  );
  const published = { ...declaration, ...(members && { members }) };
  for (const member of published.members ?? []) delete member.inheritedFrom;
  if (published.attributes) for (const attribute of published.attributes) delete attribute.inheritedFrom;
  return published;
}

export default {
  globs: ['src/element/**/*.ts'],
  litelement: true,
  packagejson: false,
  plugins: [describeDoors()],
};
