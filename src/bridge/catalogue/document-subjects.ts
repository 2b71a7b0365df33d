import type { Language } from '../../contract/index.js';
import { incidentName } from './answers.js';
import type { AskedFor, Catalogue } from './catalogue.js';
import { flattenQuestions, questionsFor } from './questions.js';
import { followUpTexts } from './wording.js';

/** The part of an answer that a document belongs to. */
export interface DocumentSubject {
  /** The id of the question. */
  question: string;
  /** The id of the follow-up that takes a document. */
  followUp: string;
  /** The place of the incident among those of the answer, from 1. */
  incident: number;
}

/** A choice for the documents of an application. */
export interface OfferedSubject extends Omit<DocumentSubject, 'incident'> {
  /** The name of the document: `Court papers`. */
  label: string;
  /** The name with the question: `1b: Court papers`. */
  name: string;
  /** How many incidents the question takes. */
  maxIncidents: number;
}

/**
 * The subjects that the documents of an application can have. They do not depend on the answers, so
 * a page that offers them reveals none.
 */
export function subjectsOffered(catalogue: Catalogue, application: AskedFor, language: Language): OfferedSubject[] {
  const ofQuestions = flattenQuestions(questionsFor(catalogue, application)).flatMap(
    ({ id, number, followUps, maxIncidents }) =>
      followUps
        .filter(({ type }) => type === 'document')
        .map(({ id: followUp }) => {
          const { label } = followUpTexts(catalogue, id, followUp, language);
          const question = number ?? shortened(catalogue.texts[language].questions[id]?.ask ?? id);
          return { question: id, followUp, label, name: `${question}: ${label}`, maxIncidents };
        }),
  );
  const { [language]: name } = rightToWork;
  return [...ofQuestions, { question: 'citizenship', followUp: 'workPermit', label: name, name, maxIncidents: 1 }];
}

/** Of a page of the profile and not of a question. Offered to everybody, as all subjects are. */
const rightToWork: Readonly<Record<Language, string>> = {
  en: 'Permission to work in the United States',
  es: 'Permiso para trabajar en los Estados Unidos',
};

/** The subject of a document as text: `1b: Court papers, Incident 2`; "" for one that is not offered. */
export function subjectName(offered: readonly OfferedSubject[], subject: DocumentSubject, language: Language): string {
  const found = offered.find(
    ({ question, followUp }) => question === subject.question && followUp === subject.followUp,
  );
  if (found === undefined) return '';
  return found.maxIncidents > 1 ? `${found.name}, ${incidentName(subject.incident - 1, language)}` : found.name;
}

const maxLength = 60;

function shortened(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}…`;
}

/** The stored text of a subject: `felony/courtDocument/2`. */
export function writeSubject({ question, followUp, incident }: DocumentSubject): string {
  return `${question}/${followUp}/${incident}`;
}

/** Reads the text of a subject; `undefined` for any other text. */
export function parseSubject(text: string): DocumentSubject | undefined {
  const [, question = '', followUp = '', incident = ''] =
    /^([a-z][a-z0-9_]{0,59})\/([a-z][a-z0-9]{0,39})\/([1-9]\d?)$/i.exec(text) ?? [];
  return question === '' ? undefined : { question, followUp, incident: Number(incident) };
}
