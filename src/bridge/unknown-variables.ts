import { environmentVariables } from './environment.js';

/** The variables that a partner's backend has in the examples of the documentation: a shell may have both. */
const ofPartners: readonly string[] = ['BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET'];

/** A sentence for each variable that is named like those of the bridge and is none of them. */
export function describeUnknownVariables(source: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(environmentVariables);
  return Object.keys(source)
    .filter((name) => /^(bridge|apply|console)_/i.test(name) && !known.includes(name) && !ofPartners.includes(name))
    .map((name) => {
      const meant = known.find((other) => lettersOf(other) === lettersOf(name));
      return `The bridge has no variable ${name}: it has no effect.${meant === undefined ? '' : ` Was ${meant} meant?`}`;
    });
}

function lettersOf(name: string): string {
  return name.replaceAll('_', '').toUpperCase();
}
