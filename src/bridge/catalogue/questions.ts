import { statesConcerned, type AskedFor, type Catalogue } from './catalogue.js';
import type { FollowUp, Question } from './content.js';

/** A question as an application asks it. */
export interface AskedQuestion extends Pick<Question, 'id' | 'number' | 'group'> {
  followUps: readonly FollowUp[];
  /** The questions that a "yes" leads to. They stand below it on the same page, so that no page shows how it was answered. */
  below: readonly AskedQuestion[];
}

/** The questions of an application in their order, those that are asked only after a "yes" below the one they follow. */
export function questionsFor(catalogue: Catalogue, application: AskedFor): AskedQuestion[] {
  const asked = catalogue.questions.filter(({ appliesTo }) => statesConcerned(appliesTo, application).length > 0);
  const askedAfter = (parent: string | undefined): AskedQuestion[] =>
    asked
      .filter(({ after }) => after?.question === parent)
      .map(({ id, number, group, followUps }) => ({ id, number, group, followUps, below: askedAfter(id) }));
  return askedAfter(undefined);
}

/** Questions with those below them, each before the ones that it leads to. */
export function withThoseBelow(questions: readonly AskedQuestion[]): AskedQuestion[] {
  return questions.flatMap((question) => [question, ...withThoseBelow(question.below)]);
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
