import { environmentVariables } from './environment.js';
import { fileVariableOf } from './secret-files.js';

/**
 * The variables of a partner's backend in the documentation's examples, which a shell may also
 * have.
 */
const ofPartners: readonly string[] = ['BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET'];

/** What Kubernetes sets beside a Service named `bridge`, such as `BRIDGE_PORT_5171_TCP_ADDR`. */
const ofServiceLinks = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;

/** A warning for each variable that is named like those of the bridge but is unknown. */
export function describeUnknownVariables(source: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(environmentVariables).flatMap((name) => [name, ...[fileVariableOf(name) ?? []].flat()]);
  return Object.keys(source)
    .filter((name) => /^(bridge|apply|console)_/i.test(name) && !known.includes(name) && !ofPartners.includes(name))
    .filter((name) => !ofServiceLinks.test(name))
    .map((name) => {
      const meant = known.find((other) => lettersOf(other) === lettersOf(name));
      return `The bridge has no variable ${name}: it has no effect.${meant === undefined ? '' : ` Was ${meant} meant?`}`;
    });
}

/** The sorted letters of a name, which find wrong case, missing "_" and swapped letters. */
function lettersOf(name: string): string {
  return Array.from(name.replaceAll('_', '').toUpperCase()).sort().join('');
}
