/**
 * Describes the two published entry points instead of the source files, which the package does not
 * contain.
 */
function describeEntryPoints() {
  return {
    name: 'describe-entry-points',
    packageLinkPhase({ customElementsManifest }) {
      const classEntry = { kind: 'javascript-module', path: 'dist/element.js', declarations: [], exports: [] };
      const registrations = [];
      for (const module of customElementsManifest.modules) {
        for (const declaration of module.declarations ?? []) {
          if (declaration.customElement || declaration.superclass?.name === 'Event')
            classEntry.declarations.push(describePublic(declaration));
        }
        registrations.push(...(module.exports ?? []).filter(({ kind }) => kind === 'custom-element-definition'));
      }
      classEntry.exports = classEntry.declarations.map((declaration) => ({
        kind: 'js',
        name: declaration.name,
        declaration: { name: declaration.name, module: classEntry.path },
      }));
      const definingEntry = {
        kind: 'javascript-module',
        path: 'dist/licensing-apply.js',
        declarations: [],
        exports: registrations.map((registration) => ({
          ...registration,
          declaration: { name: registration.declaration.name, module: classEntry.path },
        })),
      };
      customElementsManifest.modules = [definingEntry, classEntry];
    },
  };
}

/** Leaves out private members, lifecycle callbacks and events without a comment. */
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
  plugins: [describeEntryPoints()],
};
