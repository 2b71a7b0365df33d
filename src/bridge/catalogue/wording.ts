import { createHash } from 'node:crypto';
import type { Language } from '../../contract/index.js';
import type { Catalogue } from './catalogue.js';
import { catalogueLanguages, type FollowUpTexts } from './content.js';
import type { AskedDisclosure } from './disclosures.js';
import type { AskedQuestion } from './questions.js';
import { listed, stateName } from './state-names.js';

/** The identity of a wording that a user answered, acknowledged or signed. */
export interface Wording {
  /** A hash of the texts, which is equal in releases with equal texts. */
  version: string;
  language: Language;
}

/** The shown texts. */
export interface WordedText extends Wording {
  /** The texts by name, such as `ask` and `help` of a question. */
  text: Readonly<Record<string, string>>;
}

/** The texts of a follow-up: from the question, or the common ones of its id. */
export function followUpTexts(
  { texts }: Catalogue,
  question: string,
  followUp: string,
  language: Language,
): FollowUpTexts {
  const { questions, followUps } = texts[language];
  return questions[question]?.followUps?.[followUp] ?? followUps[followUp] ?? { label: followUp };
}

/**
 * The wording of a question, including its follow-ups, because an old "yes" has no answer to a new
 * follow-up.
 */
export function questionWording(
  catalogue: Catalogue,
  { id, followUps, below }: AskedQuestion,
  language: Language,
): WordedText {
  const { ask = '', scope = '', help = '' } = catalogue.texts[language].questions[id] ?? {};
  const asked = followUps.map((followUp) => {
    const { label, choices = {} } = followUpTexts(catalogue, id, followUp.id, language);
    const options = (followUp.choices ?? []).map((choice) => choices[choice] ?? choice);
    return `${label} (${[followUp.type, ...options].join(', ')})`;
  });
  const leadsTo = below.map(({ id: next }) => next).join(' ');
  return worded(language, { ask, scope, help, followUps: asked.join('; '), leadsTo });
}

/** The wording of a disclosure, with the names of its states. */
export function disclosureWording(
  { texts }: Catalogue,
  { id, states }: AskedDisclosure,
  language: Language,
): WordedText {
  const named = listed(
    states.map((state) => stateName(state, language)),
    language,
  );
  const { short = '', full = '' } = texts[language].disclosures[id] ?? {};
  return worded(language, { short: short.replaceAll('{state}', named), full: full.replaceAll('{state}', named) });
}

/** The wording of an attestation. */
export function attestationWording({ texts }: Catalogue, id: string, language: Language): WordedText {
  return worded(language, { statement: texts[language].attestations[id]?.statement ?? '' });
}

/** Whether a wording is still current in its language. */
export function isCurrent(wording: Wording | undefined, now: (language: Language) => WordedText): boolean {
  const isKnown = wording !== undefined && catalogueLanguages.includes(wording.language);
  return isKnown && now(wording.language).version === wording.version;
}

function worded(language: Language, text: Readonly<Record<string, string>>): WordedText {
  const hash = createHash('sha256').update(JSON.stringify([language, text]));
  return { version: hash.digest('base64url').slice(0, 22), language, text };
}
