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

/** What a user of the element can use: not the callbacks of the platform, nor what the analyzer found without a comment. */
function describePublic({ members, events, ...declaration }) {
  const isPublic = ({ privacy, name }) => privacy !== 'private' && !name.startsWith('#') && !name.endsWith('Callback');
  return {
    ...declaration,
    ...(members && { members: members.filter(isPublic) }),
    ...(events && { events: events.filter(({ description }) => description) }),
  };
}

export default {
  globs: ['src/element/**/*.ts'],
  litelement: true,
  packagejson: false,
  plugins: [describeDoors()],
};
