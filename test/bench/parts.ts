/**
 * The parts of a benchmark that the command line names; all of them when it names none.
 * @throws Error for a name that no part has: nothing would be measured, and all would look well.
 */
export function wantedParts<Part>(parts: Readonly<Record<string, Part>>): Part[] {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}: say ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).flatMap(([name, part]) => (wanted.length === 0 || wanted.includes(name) ? [part] : []));
}
