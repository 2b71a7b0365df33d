import type { StateCode } from '../../contract/index.js';
import { statesConcerned, type AskedFor, type Catalogue } from './catalogue.js';
import type { Disclosure } from './content.js';

/** A disclosure of an application. */
export interface AskedDisclosure extends Pick<Disclosure, 'id' | 'kind'> {
  /** Its states in the application, in the order of the request. */
  states: readonly StateCode[];
}

/** The disclosures of an application, shared ones first. */
export function disclosuresFor(catalogue: Catalogue, application: AskedFor): AskedDisclosure[] {
  const asked = catalogue.disclosures
    .map(({ id, kind, appliesTo }) => ({ id, kind, states: statesConcerned(appliesTo, application) }))
    .filter(({ states }) => states.length > 0);
  return [...asked.filter(({ kind }) => kind === 'shared'), ...asked.filter(({ kind }) => kind === 'state')];
}

/** The ids of the attestations of an application. */
export function attestationsFor(catalogue: Catalogue, application: AskedFor): string[] {
  return catalogue.attestations
    .filter(({ appliesTo }) => statesConcerned(appliesTo, application).length > 0)
    .map(({ id }) => id);
}
