import { spanishStateNames, stateNames, type Language } from '../../contract/index.js';

/** The full name of a state by its code; another code is returned as it is. */
export function stateName(code: string, language: Language): string {
  const names: Readonly<Record<string, string>> = language === 'es' ? spanishStateNames : stateNames;
  return names[code] ?? code;
}

/** Names in a sentence of which one is enough: property or casualty. */
export function eitherOf(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(`${language}-US`, { type: 'disjunction' }).format(names);
}

/** Names in a sentence: Texas and California. */
export function listed(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(`${language}-US`, { type: 'conjunction' }).format(names);
}
