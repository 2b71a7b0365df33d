import { findEarlierAnswers } from '../../store/applications/step-store.js';
import { mayReuseAnswers } from './identity.js';
import { questionsFor, type Question } from './questions.js';
import { changeStep, type ApplySession } from './session.js';
import { completeStep, readSecret, saveDraft, sealedPlace } from './step.js';
import { answersAgeMs } from '../sessions/answers-age.js';
import type { BridgeContext } from '../context.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';

/** The answer to one question; `details` holds the follow-ups of a yes by their id. */
export interface Answer {
  answer: 'yes' | 'no';
  details: Record<string, string>;
}

/** Answers by question id. */
export type Answers = Record<string, Answer>;

/**
 * Saves answers, complete ones only, over what was answered before. When the last open question is answered the step is
 * complete. Which questions are answered may be shown, because everybody is asked all of them; how, never.
 */
export function saveAnswers(context: BridgeContext, token: string, answers: Answers): Promise<true | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    await mergeAnswers(context, trx, session, answers);
    return true as const;
  });
}

/** Takes over the answers of an earlier application, as far as the same questions are asked and open; `false` when there are none. */
export function reuseEarlierAnswers(context: BridgeContext, token: string): Promise<boolean | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    const earlier = (await mayReuseAnswers(context, trx, session)) && (await earlierAnswers(context, trx, session));
    if (!earlier || earlier.sealed === null) return false;
    const secret = context.keys.unseal(earlier.sealed, sealedPlace(earlier.application_id, 'background'));
    // Not those that the user has answered meanwhile, in another tab: the new answer is the true one.
    const open = new Set<string>(openQuestions(session).map(({ id }) => id));
    const known = Object.entries(JSON.parse(secret) as Answers).filter(([id]) => open.has(id));
    await mergeAnswers(context, trx, session, Object.fromEntries(known));
    return true;
  });
}

/** When the user last submitted answers, if they may be used again and nothing is answered yet. */
export async function earlierAnswersOffered(context: BridgeContext, session: ApplySession): Promise<Date | undefined> {
  if (answeredIds(session).size > 0 || !(await mayReuseAnswers(context, context.db, session))) return undefined;
  const earlier = await earlierAnswers(context, context.db, session);
  return earlier?.submitted_at ?? undefined;
}

/** The ids of the questions that are answered. */
export function answeredIds(session: ApplySession): ReadonlySet<string> {
  return new Set((session.saved.background?.data['answered'] ?? []) as string[]);
}

/** The questions that still want an answer. */
export function openQuestions(session: ApplySession): Question[] {
  const answered = answeredIds(session);
  return questionsFor(session.application).filter(({ id }) => !answered.has(id));
}

async function mergeAnswers(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  answers: Answers,
): Promise<void> {
  const before = JSON.parse(readSecret(context, session, 'background') ?? '{}') as Answers;
  const merged = { ...before, ...answers };
  const content = { data: { answered: Object.keys(merged).sort() }, secret: JSON.stringify(merged) };
  const isComplete = questionsFor(session.application).every(({ id }) => id in merged);
  await (isComplete ? completeStep : saveDraft)(context, trx, session, 'background', content);
}

async function earlierAnswers(context: BridgeContext, db: Database, { application }: ApplySession) {
  const since = new Date(context.clock().getTime() - answersAgeMs);
  const earlier = await findEarlierAnswers(db, application, since);
  return earlier?.sealed && context.keys.canUnseal(earlier.sealed) ? earlier : undefined;
}
