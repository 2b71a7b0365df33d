import type { Language } from '../../../../../contract/index.js';
import type { TopicId } from '../topics.js';
import { license as licenseEn } from './en/license.js';
import { person as personEn } from './en/person.js';
import { license as licenseEs } from './es/license.js';
import { person as personEs } from './es/person.js';
import type { FieldTexts, ProfileTexts, TopicTexts } from './texts.js';

const languages: Readonly<Record<Language, ProfileTexts>> = {
  en: { ...personEn, ...licenseEn },
  es: { ...personEs, ...licenseEs },
};

/** The texts of a topic in a language. */
export function topicTexts(
  topic: TopicId,
  language: Language,
): Omit<TopicTexts, 'fields'> & { fields: Readonly<Record<string, FieldTexts>> } {
  return languages[language][topic];
}

/** The texts of one field. @throws Error for a field that the topic does not have. */
export function fieldTexts(topic: TopicId, field: string, language: Language): FieldTexts {
  const texts = topicTexts(topic, language).fields[field];
  if (texts === undefined) throw new Error(`${topic} has no field ${field}.`);
  return texts;
}
