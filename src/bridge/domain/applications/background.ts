import type { Language } from '../../../contract/index.js';
import type { Answers } from '../../catalogue/answers.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { type AskedQuestion, questionsFor, flattenQuestions } from '../../catalogue/questions.js';
import { isCurrent, questionWording, type Wording } from '../../catalogue/wording.js';
import { findEarlierAnswers } from '../../store/applications/step-store.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { mayReuseAnswers } from './identity.js';
import { valuesOf } from './profile/pages.js';
import { findMissingDocuments, type MissingDocument } from './required-documents.js';
import { type ApplySession, associatedData, changeStep, type SavedStep } from './session.js';
import { completeStep, readSecret, saveDraft } from './step.js';

/** The wordings of the answered questions, by question id. */
type Wordings = Record<string, Wording>;

/**
 * Saves complete answers and replaces earlier ones. The step is complete when the last open
 * question is answered. The ids of answered questions are readable, because all users answer the
 * same questions; the answers are encrypted. A question below one that is answered "no" counts as
 * answered.
 *
 * @param language The language of the shown questions.
 */
export function saveAnswers(
  context: BridgeContext,
  token: string,
  answers: Answers,
  language: Language,
): Promise<true | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    const answered = questionsFor(session.pinned, session.application).filter(({ id }) => id in answers);
    const asked = flattenQuestions(answered);
    const wordings = Object.fromEntries(
      asked.map((question) => [question.id, wordingOf(questionWording(session.pinned, question, language))]),
    );
    await mergeAnswers(context, trx, session, { answers, wordings, ids: new Set(asked.map(({ id }) => id)) });
    return true as const;
  });
}

/**
 * Copies the answers of an earlier application to open questions with the same wording; `false`
 * when there are none.
 */
export function reuseEarlierAnswers(context: BridgeContext, token: string): Promise<boolean | undefined> {
  return changeStep(context, token, 'background', async (trx, session) => {
    const earlier = (await mayReuseAnswers(context, trx, session)) && (await earlierAnswers(context, trx, session));
    if (!earlier) return false;
    const secret = context.keys
      .of(session.application.mode)
      .decrypt(earlier.encrypted, associatedData(earlier.applicationId, 'background'));
    const answers = JSON.parse(secret) as Answers;
    // Not to questions that the user has answered meanwhile in another tab: the new answer counts.
    const reused = openQuestions(session).filter(
      (question) => question.id in answers && isAnswered(session.pinned, earlier, question),
    );
    const ids = new Set(flattenQuestions(reused).map(({ id }) => id));
    const wordings = pick(wordingsOf(earlier), ids);
    await mergeAnswers(context, trx, session, { answers: pick(answers, ids), wordings, ids });
    return true;
  });
}

/** When the user last submitted answers, if some can be reused and no question is answered yet. */
export async function earlierAnswersOffered(context: BridgeContext, session: ApplySession): Promise<Date | undefined> {
  if (answeredIds(session).size > 0 || !(await mayReuseAnswers(context, context.db, session))) return undefined;
  const earlier = await earlierAnswers(context, context.db, session);
  const isUseful = earlier && openQuestions(session).some((question) => isAnswered(session.pinned, earlier, question));
  return isUseful ? (earlier.submittedAt ?? undefined) : undefined;
}

/** The ids of the questions that are answered in their current wording. */
export function answeredIds({ pinned, application, saved }: ApplySession): ReadonlySet<string> {
  const answered = questionsFor(pinned, application).filter((each) => isAnswered(pinned, saved.background, each));
  return new Set(answered.map(({ id }) => id));
}

/**
 * Whether the user is asked for documents: some question is answered with yes, and no page shows
 * which one, or the user is not a citizen, and states want proof of the right to work.
 */
export function areDocumentsAskedFor(context: BridgeContext, session: ApplySession): boolean {
  if (needsRightToWork(session)) return true;
  const answers = readAnswers(context, session);
  return questionsFor(session.pinned, session.application).some(({ id }) => answers[id]?.answer === 'yes');
}

/** Whether the user is not a citizen, and so works with a permit of which states want a copy. */
export function needsRightToWork({ profile }: Pick<ApplySession, 'profile'>): boolean {
  return valuesOf(profile, 'citizenship').citizen === 'other';
}

/** The questions without an answer. */
export function openQuestions(session: ApplySession): AskedQuestion[] {
  const answered = answeredIds(session);
  return questionsFor(session.pinned, session.application).filter(({ id }) => !answered.has(id));
}

/**
 * Whether a question and those below it were answered in their current wording: a "no" to another
 * wording does not count. The wordings may be from another release, when answers are reused.
 */
function isAnswered(pinned: Catalogue, saved: Pick<SavedStep, 'data'> | undefined, question: AskedQuestion): boolean {
  const wordings = wordingsOf(saved);
  return flattenQuestions([question]).every((each) =>
    isCurrent(wordings[each.id], (language) => questionWording(pinned, each, language)),
  );
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

/** The saved answers of some questions and those below them, which replace earlier ones. */
interface Merged {
  ids: ReadonlySet<string>;
  answers: Answers;
  wordings: Wordings;
}

async function mergeAnswers(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  { ids, ...given }: Merged,
): Promise<void> {
  const before = readAnswers(context, session);
  // A "no" that replaces a "yes" also removes the answers below it.
  const kept = Object.fromEntries(Object.entries(before).filter(([id]) => !ids.has(id)));
  const merged = { ...kept, ...given.answers };
  const wordings = { ...wordingsOf(session.saved.background), ...given.wordings };
  const missing = await findMissingDocuments(context, trx, session, merged);
  const data = { wordings, documentsMissing: sum(missing) };
  await saveBackground(context, trx, session, { data, secret: JSON.stringify(merged) });
}

/** Completes the step when every question is answered and no required document is missing. */
async function saveBackground(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  content: { data: { documentsMissing: number; [name: string]: unknown }; secret?: string },
): Promise<void> {
  const isComplete =
    content.data.documentsMissing === 0 &&
    questionsFor(session.pinned, session.application).every((question) =>
      isAnswered(session.pinned, content, question),
    );
  await (isComplete ? completeStep : saveDraft)(context, trx, session, 'background', content);
}

/**
 * Stores the number of missing required documents, after one was added or removed. Only the number
 * is readable in the row, because the kinds would reveal the answers.
 */
export async function recordDocuments(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
): Promise<void> {
  const { background } = session.saved;
  if (!background) return;
  const documentsMissing = sum(await missingDocuments(context, trx, session));
  await saveBackground(context, trx, session, { data: { ...background.data, documentsMissing } });
}

/** The missing documents that the answers of an application require. They reveal the answers. */
export function missingDocuments(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  session: ApplySession,
): Promise<MissingDocument[]> {
  return findMissingDocuments(context, db, session, readAnswers(context, session));
}

function sum(missing: readonly MissingDocument[]): number {
  return missing.reduce((total, { count }) => total + count, 0);
}

/** The answers of an application, without questions that did not apply. Secret. */
export function readAnswers(context: Pick<BridgeContext, 'keys'>, session: ApplySession): Answers {
  return JSON.parse(readSecret(context, session, 'background') ?? '{}') as Answers;
}

async function earlierAnswers(context: BridgeContext, db: Database, { application }: ApplySession) {
  const since = new Date(context.clock().getTime() - answersAgeMs);
  const { encrypted = null, ...earlier } = (await findEarlierAnswers(db, application, since)) ?? {};
  return 'data' in earlier && encrypted !== null && context.keys.of(application.mode).canDecrypt(encrypted)
    ? { ...earlier, encrypted }
    : undefined;
}

/** The number of days for which answers can be reused. */
export const answersAgeDays = 90;

/** The same in milliseconds. */
export const answersAgeMs = answersAgeDays * 24 * 3_600_000;
