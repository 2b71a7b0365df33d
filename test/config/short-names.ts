import { readElementProgram } from './element-program.js';
import { keptNames, ownNames, publishedNames } from './published-names.js';

/** A short name for each property that nobody but the CDN build's own code knows; the same in all of its parts. */
export function shortNames(): ReadonlyMap<string, string> {
  const program = readElementProgram();
  const published = publishedNames(program);
  const kept = keptNames(program, published);
  const uses = new Map<string, number>();
  for (const name of ownNames(program, published)) uses.set(name, (uses.get(name) ?? 0) + 1);
  // The most used ones first, and the order of the alphabet among equals: the same sources give the same build.
  const longNames = [...uses.keys()].sort().sort((left, right) => (uses.get(right) ?? 0) - (uses.get(left) ?? 0));
  const free = pairs().filter((name) => !kept.has(name));
  return new Map(longNames.map((name, index) => [name, free[index] ?? name]));
}

// Those that the minifier uses most for variables: pairs of them compress better than single letters that are rare.
const letters = [
  'e',
  't',
  'n',
  'r',
  'i',
  'a',
  'o',
  's',
  'c',
  'l',
  'u',
  'd',
  'f',
  'p',
  'm',
  'h',
  'g',
  'v',
  'y',
  'b',
  'x',
  'w',
  'k',
];

function pairs(): string[] {
  return letters.flatMap((second) => letters.map((first) => first + second));
}
