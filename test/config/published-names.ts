import ts from 'typescript';
import type { ElementProgram } from './element-program.js';
import { type Member, membersOf, namesOf, quotedNames, readNames } from './said-names.js';
import { exportedNames, exportsOf, foreignNames } from './type-names.js';

/**
 * The names of properties that others say too: partners, by the types of the doors; the service and the hosted page, by what travels;
 * browsers; Lit; and our own code, wherever it says a name as a text.
 */
export function publishedNames({
  checker,
  doors,
  sources,
  wires,
  browser,
  lit,
  litTypes,
}: ElementProgram): Set<string> {
  return new Set([
    ...browser.flatMap(membersOf).flatMap(namesOf),
    ...litTypes.flatMap(membersOf).filter(isPublic).flatMap(namesOf),
    ...lit.flatMap(quotedNames),
    ...doors.flatMap((file) => [...exportedNames(checker, file)]),
    // What travels is data: a function stays where it is.
    ...wires.flatMap((file) =>
      membersOf(file)
        .filter((member) => !isFunction(checker, member))
        .flatMap(namesOf),
    ),
    ...sources.flatMap(quotedNames),
    ...sources.flatMap((file) => [...foreignNames(checker, file)]),
    // A part that comes by `import()` is an object with these properties.
    ...sources.flatMap((file) => exportsOf(checker, file).map(({ name }) => name)),
  ]);
}

/** The names that only our code says, and those that Lit keeps to itself. */
export function ownNames({ sources, lit, litTypes }: ElementProgram, published: ReadonlySet<string>): string[] {
  const ours = sources.flatMap(membersOf).flatMap(namesOf);
  const hidden = new Set(
    litTypes
      .flatMap(membersOf)
      .filter((member) => !isPublic(member))
      .flatMap(namesOf),
  );
  const litOwn = lit.flatMap(saidNames).filter((name) => hidden.has(name) || isShared(name));
  return [...ours, ...litOwn].filter((name) => !published.has(name));
}

/** All names that stay, so that none of them is given to something else. */
export function keptNames({ lit }: ElementProgram, published: ReadonlySet<string>): Set<string> {
  return new Set([...published, ...lit.flatMap(saidNames)]);
}

function saidNames(file: ts.SourceFile): string[] {
  return [...membersOf(file).flatMap(namesOf), ...readNames(file)];
}

/** The statics of Lit's classes are for who extends one, and the CDN build exports no class. */
function isPublic(member: Member): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static;
  return !(ts.getCombinedModifierFlags(member) & hidden) && !namesOf(member).some(isShared);
}

/** What the packages of Lit share with each other begins with this, and no more of it is public than what is private. */
function isShared(name: string): boolean {
  return name.startsWith('_$');
}

function isFunction(checker: ts.TypeChecker, member: Member): boolean {
  return checker.getTypeAtLocation(member).getCallSignatures().length > 0;
}
