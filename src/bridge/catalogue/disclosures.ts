import type { StateCode } from '../../contract/index.js';
import { statesConcerned, type AskedFor, type Catalogue } from './catalogue.js';
import type { Disclosure } from './content.js';

/** A disclosure as an application asks for it. */
export interface AskedDisclosure extends Pick<Disclosure, 'id' | 'kind'> {
  /** The states of the application that it is of, in the order in which they were asked for. */
  states: readonly StateCode[];
}

/** The disclosures of an application: those that all states share first. */
export function disclosuresFor(catalogue: Catalogue, application: AskedFor): AskedDisclosure[] {
  const asked = catalogue.disclosures
    .map(({ id, kind, appliesTo }) => ({ id, kind, states: statesConcerned(appliesTo, application) }))
    .filter(({ states }) => states.length > 0);
  return [...asked.filter(({ kind }) => kind === 'shared'), ...asked.filter(({ kind }) => kind === 'state')];
}

/** The ids of the statements below which the user of an application signs. */
export function attestationsFor(catalogue: Catalogue, application: AskedFor): string[] {
  return catalogue.attestations
    .filter(({ appliesTo }) => statesConcerned(appliesTo, application).length > 0)
    .map(({ id }) => id);
}
