import { statesConcerned, type AskedFor, type Catalogue } from './catalogue.js';
import type { FollowUp, Question } from './content.js';

/** A question of an application. */
export interface AskedQuestion extends Pick<Question, 'id' | 'number' | 'group'> {
  followUps: readonly FollowUp[];
  /** How many incidents a "yes" may tell. */
  maxIncidents: number;
  /** The questions below a "yes". They are on the same page, so that no page reveals the answer. */
  below: readonly AskedQuestion[];
}

/** The questions of an application, in order, with the questions below a "yes". */
export function questionsFor(catalogue: Catalogue, application: AskedFor): AskedQuestion[] {
  const asked = catalogue.questions.filter(({ appliesTo }) => statesConcerned(appliesTo, application).length > 0);
  const askedAfter = (parent: string | undefined): AskedQuestion[] =>
    asked
      .filter(({ after }) => after?.question === parent)
      .map(({ id, number, group, followUps, maxIncidents = 1 }) => ({
        ...{ id, number, group, followUps, maxIncidents },
        below: askedAfter(id),
      }));
  return askedAfter(undefined);
}

/** Questions and those below them as a list, parents first. */
export function flattenQuestions(questions: readonly AskedQuestion[]): AskedQuestion[] {
  return questions.flatMap((question) => [question, ...flattenQuestions(question.below)]);
}

/** One page of questions. */
export interface QuestionGroup {
  group: string;
  questions: AskedQuestion[];
}

/** The pages of the background step of an application, each with its questions. */
export function questionPagesFor(catalogue: Catalogue, application: AskedFor): QuestionGroup[] {
  const questions = questionsFor(catalogue, application);
  return [...new Set(questions.map(({ group }) => group))].map((group) => ({
    group,
    questions: questions.filter((question) => question.group === group),
  }));
}
