import type { Language } from '../../../../../contract/index.js';
import type { LineRule } from '../../../../catalogue/content.js';
import { eitherOf, listed, stateName } from '../../../../catalogue/state-names.js';
import type { LineConflict } from '../line-rules.js';
import type { Requirements } from '../pages.js';

/** The names in a sentence. `line`: "" for a rule about all of them. */
interface Names {
  states: string;
  line: string;
  others: string;
}

type Sentences = Readonly<Record<LineRule['rule'], (names: Names) => string>>;

const en: Sentences = {
  needsAll: ({ states, line, others }) => `In ${states}, ${line} needs ${others}.`,
  needsOne: ({ states, line, others }) => `In ${states}, ${line} needs ${others}.`,
  excludes: ({ states, line, others }) => `In ${states}, ${line} is not possible beside ${others}.`,
  heldAtHome: ({ states, others }) =>
    `In ${states}, only lines of the home state are granted. The registry does not show there: ${others}.`,
  renewedTogether: ({ states, others }) => `In ${states}, lines are renewed together. Left out: ${others}.`,
};

const es: Sentences = {
  needsAll: ({ states, line, others }) => `En ${states}, ${line} requiere ${others}.`,
  needsOne: ({ states, line, others }) => `En ${states}, ${line} requiere ${others}.`,
  excludes: ({ states, line, others }) => `En ${states}, ${line} no es posible junto con ${others}.`,
  heldAtHome: ({ states, others }) =>
    `En ${states} solo se conceden ramos del estado de residencia. El registro no muestra allí: ${others}.`,
  renewedTogether: ({ states, others }) => `En ${states}, los ramos se renuevan juntos. Falta: ${others}.`,
};

/** What a rule of states says about the lines of an application, in a sentence. */
export function conflictSentence(
  { rule, line, others, states }: LineConflict,
  { lineName }: Pick<Requirements, 'lineName'>,
  language: Language,
): string {
  const names = others.map((id) => lineName(id, language));
  const sentences = { en, es }[language];
  return sentences[rule]({
    states: listed(
      states.map((state) => stateName(state, language)),
      language,
    ),
    line: line === undefined ? '' : lineName(line, language),
    others: rule === 'needsOne' ? eitherOf(names, language) : listed(names, language),
  });
}
