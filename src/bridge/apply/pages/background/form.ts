import { type Answers, incidentName } from '../../../catalogue/answers.js';
import type { FollowUp } from '../../../catalogue/content.js';
import { followUpParts, parseFollowUp, type FollowUpProblem } from '../../../catalogue/follow-ups.js';
import type { AskedQuestion } from '../../../catalogue/questions.js';
import { followUpTexts } from '../../../catalogue/wording.js';
import type { PageContext } from '../../page-context.js';
import type { FieldError, PostedForm } from '../../../pages/forms.js';

/** The result of reading a page of questions. */
export interface PostedAnswers {
  /**
   * The complete answers, with those below them. They are saved even when others are incomplete.
   */
  answers: Answers;
  errors: FieldError[];
}

/**
 * Reads one page of questions. An empty question keeps its saved answer. A yes without its details
 * counts as unanswered and is asked again from the start: if it were saved, the page that asks for
 * the details would show the yes.
 */
export function readAnswers(
  form: PostedForm,
  questions: readonly AskedQuestion[],
  answered: ReadonlySet<string>,
  pageContext: Pick<PageContext, 'texts' | 'language' | 'session'>,
  now: Date,
): PostedAnswers {
  const words = pageContext.texts.errors;
  const answers: Answers = {};
  const errors: FieldError[] = [];
  for (const question of questions) {
    const { id } = question;
    const { ask = id } = pageContext.session.pinned.texts[pageContext.language].questions[id] ?? {};
    const field = `${id}-yes`;
    if (form.text(id) === '') {
      if (!answered.has(id)) errors.push({ field, message: words.answer, summary: `${words.answer}: ${ask}` });
      continue;
    }
    const { given, problems } = readAnswer(form, question, pageContext, now);
    if (problems.length === 0) Object.assign(answers, given);
    else {
      const message = [...problems, words.answerAgain].join('. ');
      errors.push({ field, message, summary: `${message}: ${ask}` });
    }
  }
  return { answers, errors };
}

function readAnswer(
  form: PostedForm,
  question: AskedQuestion,
  pageContext: Pick<PageContext, 'texts' | 'language' | 'session'>,
  now: Date,
): { given: Answers; problems: string[] } {
  const { id, below } = question;
  const { texts, language, session } = pageContext;
  const answer = form.text(id);
  if (answer === 'no') return { given: { [id]: { answer, incidents: [] } }, problems: [] };
  if (answer !== 'yes') {
    const { ask = id } = session.pinned.texts[language].questions[id] ?? {};
    return { given: {}, problems: [`${ask} ${texts.errors.answer}`] };
  }
  const incidents = readIncidents(form, question, pageContext, now);
  const parts = below.map((each) => readAnswer(form, each, pageContext, now));
  return {
    given: Object.assign(
      { [id]: { answer, incidents: incidents.map(({ details }) => details) } } satisfies Answers,
      ...parts.map(({ given }) => given),
    ) as Answers,
    problems: [...incidents, ...parts].flatMap(({ problems }) => problems),
  };
}

/** The first incident, and those after it with something typed. */
function readIncidents(
  form: PostedForm,
  { id, followUps, maxIncidents }: AskedQuestion,
  { texts, language, session }: Pick<PageContext, 'texts' | 'language' | 'session'>,
  now: Date,
): { details: Record<string, string>; problems: string[] }[] {
  const fields = followUps.filter(({ type }) => type !== 'document');
  return Array.from({ length: maxIncidents }, (_, index) => {
    const name = incidentField(id, index);
    const details: Record<string, string> = {};
    const problems: string[] = [];
    const read = (followUp: FollowUp, part: string) =>
      form.text([name, followUp.id, part].filter((each) => each !== '').join('.'));
    const isTold = fields.some((each) => (followUpParts[each.type] ?? ['']).some((part) => read(each, part) !== ''));
    if (index > 0 && !isTold) return undefined;
    for (const followUp of fields) {
      const { value, problem } = parseFollowUp(followUp, (part) => read(followUp, part), now);
      if (problem === undefined) details[followUp.id] = value;
      else {
        const { label } = followUpTexts(session.pinned, id, followUp.id, language);
        const where = index > 0 ? `${incidentName(index, language)}: ${label}` : label;
        problems.push(`${where}: ${describeProblem(problem, followUp, texts)}`);
      }
    }
    return { details, problems };
  }).filter((incident) => incident !== undefined);
}

/** The name of an incident in the form, before the follow-up: `felony`, `felony.2`. */
export function incidentField(question: string, index: number): string {
  return index === 0 ? question : `${question}.${index + 1}`;
}

function describeProblem(problem: FollowUpProblem, { type }: FollowUp, { errors }: PageContext['texts']): string {
  const words = errors.followUp;
  switch (problem.kind) {
    case 'missing':
      return type === 'choice' || type === 'state' ? words.choice : words.missing;
    case 'number':
      return words.number(problem.min, problem.max);
    case 'tooLong':
      return words.tooLong(problem.maxLength);
    default:
      return words[problem.kind];
  }
}
