import { stateNames } from '../../contract/index.js';

/** The full name of a state; its code where the name is not known. */
export function stateName(state: string): string {
  return (stateNames as Readonly<Record<string, string>>)[state] ?? state;
}
