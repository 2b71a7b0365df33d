import type { Language } from '../../../contract/index.js';
import { type Question, questionsFor } from '../../catalogue/questions.js';
import { isCurrent, questionWording, type Wording } from '../../catalogue/wording.js';
import { findEarlierAnswers } from '../../store/applications/step-store.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { mayReuseAnswers } from './identity.js';
import { type ApplySession, associatedData, changeStep, type SavedStep } from './session.js';
import { completeStep, readSecret, saveDraft } from './step.js';

/** The answer to one question; `details` holds the follow-ups of a yes by their id. */
export interface Answer {
  answer: 'yes' | 'no';
  details: Record<string, string>;
}

/** Answers by question id. */
export type Answers = Record<string, Answer>;

/** The words that were answered, by question id. */
type Wordings = Record<string, Wording>;

/**
 * Saves answers, complete ones only, over what was answered before. When the last open question is answered the step is
 * complete. Which questions are answered may be shown, because everybody is asked all of them; how, never.
 *
 * @param language In which the questions were shown.
 */
export function saveAnswers(
  context: BridgeContext,
  token: string,
  answers: Answers,
  language: Language,
): Promise<true | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    const asked = questionsFor(session.application).filter(({ id }) => id in answers);
    const wordings = Object.fromEntries(
      asked.map((question) => [question.id, wordingOf(questionWording(question, language))]),
    );
    await mergeAnswers(context, trx, session, answers, wordings);
    return true as const;
  });
}

/** Takes over the answers of an earlier application, as far as the same words are asked and open; `false` when there are none. */
export function reuseEarlierAnswers(context: BridgeContext, token: string): Promise<boolean | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    const earlier = (await mayReuseAnswers(context, trx, session)) && (await earlierAnswers(context, trx, session));
    if (!earlier) return false;
    const secret = context.keys.decrypt(earlier.sealed, associatedData(earlier.application_id, 'background'));
    const answers = JSON.parse(secret) as Answers;
    // Not those that the user has answered meanwhile, in another tab: the new answer is the true one.
    const reused = openQuestions(session).filter((question) => question.id in answers && isAnswered(earlier, question));
    const ids = new Set<string>(reused.map(({ id }) => id));
    await mergeAnswers(context, trx, session, pick(answers, ids), pick(wordingsOf(earlier), ids));
    return true;
  });
}

/** When the user last submitted answers, if some of them may be used again and nothing is answered yet. */
export async function earlierAnswersOffered(context: BridgeContext, session: ApplySession): Promise<Date | undefined> {
  if (answeredIds(session).size > 0 || !(await mayReuseAnswers(context, context.db, session))) return undefined;
  const earlier = await earlierAnswers(context, context.db, session);
  const isUseful = earlier && openQuestions(session).some((question) => isAnswered(earlier, question));
  return isUseful ? (earlier.submitted_at ?? undefined) : undefined;
}

/** The ids of the questions that are answered as they are worded now. */
export function answeredIds(session: ApplySession): ReadonlySet<string> {
  const { background } = session.saved;
  const questions = questionsFor(session.application);
  return new Set<string>(questions.filter((question) => isAnswered(background, question)).map(({ id }) => id));
}

/** Whether the user may have papers to show: some question is answered with yes. Which one it is, no page says. */
export function areDocumentsWanted(context: BridgeContext, session: ApplySession): boolean {
  const answers = JSON.parse(readSecret(context, session, 'background') ?? '{}') as Answers;
  return questionsFor(session.application).some(({ id }) => answers[id]?.answer === 'yes');
}

/** The questions that still want an answer. */
export function openQuestions(session: ApplySession): Question[] {
  const answered = answeredIds(session);
  return questionsFor(session.application).filter(({ id }) => !answered.has(id));
}

/** Whether a question was answered in the very words in which it is asked now: a no to other words says nothing. */
function isAnswered(saved: Pick<SavedStep, 'data'> | undefined, question: Question): boolean {
  return isCurrent(wordingsOf(saved)[question.id], (language) => questionWording(question, language));
}

function wordingsOf(saved: Pick<SavedStep, 'data'> | undefined): Wordings {
  return (saved?.data['wordings'] ?? {}) as Wordings;
}

function wordingOf({ version, language }: Wording): Wording {
  return { version, language };
}

function pick<Value>(all: Record<string, Value>, ids: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id)));
}

async function mergeAnswers(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  answers: Answers,
  answeredWordings: Wordings,
): Promise<void> {
  const before = JSON.parse(readSecret(context, session, 'background') ?? '{}') as Answers;
  const merged = { ...before, ...answers };
  const wordings = { ...wordingsOf(session.saved.background), ...answeredWordings };
  // `answered` is what the version before reads.
  const content = { data: { answered: Object.keys(merged).sort(), wordings }, secret: JSON.stringify(merged) };
  const isComplete = questionsFor(session.application).every((question) => isAnswered(content, question));
  await (isComplete ? completeStep : saveDraft)(context, trx, session, 'background', content);
}

async function earlierAnswers(context: BridgeContext, db: Database, { application }: ApplySession) {
  const since = new Date(context.clock().getTime() - answersAgeMs);
  const { sealed = null, ...earlier } = (await findEarlierAnswers(db, application, since)) ?? {};
  return 'data' in earlier && sealed !== null && context.keys.canDecrypt(sealed) ? { ...earlier, sealed } : undefined;
}

/** For how many days answers count as given, and a user who begins again goes on where they were. */
export const answersAgeDays = 90;

/** The same in milliseconds. */
export const answersAgeMs = answersAgeDays * 24 * 3_600_000;
