import { createHash } from 'node:crypto';
import { spanishStateNames, stateNames, type Language } from '../../contract/index.js';
import type { AttestationId, Disclosure } from './disclosures.js';
import { attestations as englishAttestations, disclosures as englishDisclosures } from './en/disclosures.js';
import { questions as englishQuestions } from './en/questions.js';
import { attestations as spanishAttestations, disclosures as spanishDisclosures } from './es/disclosures.js';
import { questions as spanishQuestions } from './es/questions.js';
import type { Question } from './questions.js';

/** Which words somebody answered, acknowledged or signed. */
export interface Wording {
  /** Changes with each word, see {@link WordedText.text}. */
  version: string;
  language: Language;
}

/** Words as they were shown. */
export interface WordedText extends Wording {
  /** What was shown, by what it is, such as `ask` and `help` of a question. */
  text: Readonly<Record<string, string>>;
}

const banks = {
  en: { questions: englishQuestions, disclosures: englishDisclosures, attestations: englishAttestations, stateNames },
  es: {
    questions: spanishQuestions,
    disclosures: spanishDisclosures,
    attestations: spanishAttestations,
    stateNames: spanishStateNames,
  },
} as const;

/** The words of a question. What a yes asks for is a part of it: an old yes has no answer to a new follow-up. */
export function questionWording({ id, followUps }: Question, language: Language): WordedText {
  return worded(language, { ...banks[language].questions[id], followUps: followUps.join(' ') });
}

/** The words of a disclosure, with the name of its state. */
export function disclosureWording({ id, state }: Disclosure, language: Language): WordedText {
  const { disclosures, stateNames: names } = banks[language];
  return worded(language, { short: disclosures[id].short(names[state]), full: disclosures[id].full(names[state]) });
}

/** The words of a statement that a signature attests. */
export function attestationWording(id: AttestationId, language: Language): WordedText {
  return worded(language, { statement: banks[language].attestations[id] });
}

/** Whether words are still the ones that would be shown in their language. */
export function isCurrent(wording: Wording | undefined, now: (language: Language) => WordedText): boolean {
  return wording !== undefined && wording.language in banks && now(wording.language).version === wording.version;
}

function worded(language: Language, text: Readonly<Record<string, string>>): WordedText {
  const hash = createHash('sha256').update(JSON.stringify([language, text]));
  return { version: hash.digest('base64url').slice(0, 22), language, text };
}
