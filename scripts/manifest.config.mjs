const classes = 'dist/element.js';
/** The entry points that register a tag. The one of the list exports its classes as well. */
const definitions = {
  'licensing-apply': 'dist/licensing-apply.js',
  'licensing-applications': 'dist/licensing-applications.js',
};

/**
 * Describes the published entry points instead of the source files, which the package does not
 * contain.
 */
function describeEntryPoints() {
  return {
    name: 'describe-entry-points',
    packageLinkPhase({ customElementsManifest }) {
      const entries = Object.fromEntries(
        [...Object.values(definitions), classes].map((path) => [
          path,
          { kind: 'javascript-module', path, declarations: [], exports: [] },
        ]),
      );
      for (const module of customElementsManifest.modules) {
        const path = module.path.startsWith('src/element/list/') ? definitions['licensing-applications'] : classes;
        for (const declaration of module.declarations ?? []) {
          if (!declaration.customElement && declaration.superclass?.name !== 'Event') continue;
          const { name } = declaration;
          entries[path].declarations.push(describePublic(declaration));
          entries[path].exports.push({ kind: 'js', name, declaration: { name, module: path } });
        }
        for (const registration of module.exports ?? []) {
          if (registration.kind !== 'custom-element-definition') continue;
          const { name } = registration.declaration;
          const path = definitions[registration.name];
          const isOwn = path === definitions['licensing-applications'];
          entries[path].exports.push({ ...registration, declaration: { name, module: isOwn ? path : classes } });
        }
      }
      customElementsManifest.modules = Object.values(entries);
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
