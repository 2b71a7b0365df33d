/**
 * The parts of a benchmark that the command line names. Default: all.
 * @throws Error for an unknown name, because nothing would be measured.
 */
export function wantedParts<Part>(parts: Readonly<Record<string, Part>>): Part[] {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}: say ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).flatMap(([name, part]) => (wanted.length === 0 || wanted.includes(name) ? [part] : []));
}
