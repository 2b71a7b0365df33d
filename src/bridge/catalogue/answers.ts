import type { Language } from '../../contract/index.js';
import type { AskedFor, Catalogue } from './catalogue.js';
import type { FollowUp } from './content.js';
import { questionsFor, type AskedQuestion } from './questions.js';
import { stateName } from './state-names.js';
import { followUpTexts } from './wording.js';

/** The answer to one question. */
export interface Answer {
  answer: 'yes' | 'no';
  /** Of a yes: the follow-ups of each incident by their id, at least one; of a no, none. */
  incidents: Record<string, string>[];
}

/** Answers by question id. Questions below a "no" have none. */
export type Answers = Record<string, Answer>;

/** The name of an incident, where an answer has several: `Incident 2`. */
export function incidentName(index: number, language: Language): string {
  return `${language === 'es' ? 'Incidente' : 'Incident'} ${index + 1}`;
}

/** The label of a follow-up; of several incidents, it begins with the name of the incident. */
export function incidentLabel(label: string, index: number, count: number, language: Language): string {
  return count > 1 ? `${incidentName(index, language)}: ${label}` : label;
}

/** A document that an answer requires. */
export interface RequiredDocument {
  /** The id of the question. */
  question: string;
  /** The id of the follow-up. */
  followUp: string;
  required: boolean;
}

/**
 * The documents that the "yes" answers of an application require, for each incident. They reveal
 * the answers, so they are only shown after the identity check.
 */
export function requiredDocumentsOf(catalogue: Catalogue, application: AskedFor, answers: Answers): RequiredDocument[] {
  return answeredYes(questionsFor(catalogue, application), answers).flatMap(({ id, followUps }) => {
    const documents = followUps
      .filter(({ type }) => type === 'document')
      .map(({ id: followUp, required }) => ({ question: id, followUp, required }));
    return (answers[id]?.incidents ?? []).flatMap(() => documents);
  });
}

function answeredYes(questions: readonly AskedQuestion[], answers: Answers): AskedQuestion[] {
  return questions
    .filter(({ id }) => answers[id]?.answer === 'yes')
    .flatMap((question) => [question, ...answeredYes(question.below, answers)]);
}

/** An answer as text. */
export interface ReadableAnswer {
  id: string;
  /** The number in the uniform application, if any. */
  number: string | undefined;
  ask: string;
  /** What counts and what does not; "" where the question says all. */
  scope: string;
  /** Absent when the question was not answered. */
  answer: 'yes' | 'no' | undefined;
  /** The completed follow-ups of a "yes". Of several incidents, each label begins with its name. */
  details: { label: string; value: string }[];
}

/**
 * The answers of an application as text, in the order of the questions. Secret, as the answers are.
 */
export function readableAnswers(
  catalogue: Catalogue,
  application: AskedFor,
  answers: Answers,
  language: Language,
): ReadableAnswer[] {
  const readable = (question: AskedQuestion): ReadableAnswer[] => {
    const { id, number, followUps, below } = question;
    const { answer, incidents = [] } = answers[id] ?? {};
    const given = incidents.flatMap((details, index) =>
      followUps.flatMap((followUp) => {
        const value = details[followUp.id];
        if (value === undefined || value === '') return [];
        const { label, choices = {} } = followUpTexts(catalogue, id, followUp.id, language);
        return [
          {
            label: incidentLabel(label, index, incidents.length, language),
            value: choices[value] ?? readableValue(followUp, value, language),
          },
        ];
      }),
    );
    const { ask = id, scope = '' } = catalogue.texts[language].questions[id] ?? {};
    const own = { id, number, ask, scope, answer, details: given };
    return [own, ...(answer === 'yes' ? below.flatMap(readable) : [])];
  };
  return questionsFor(catalogue, application).flatMap(readable);
}

function readableValue({ type }: FollowUp, value: string, language: Language): string {
  const locale = `${language}-US`;
  if (type === 'date' || type === 'month') {
    const style: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'long', timeZone: 'UTC' };
    if (type === 'date') style.day = 'numeric';
    return new Intl.DateTimeFormat(locale, style).format(new Date(value));
  }
  if (type === 'money') {
    return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(Number(value));
  }
  if (type === 'state') {
    return stateName(value, language);
  }
  return value;
}
