import { type Answers, requiredDocumentsOf } from '../../catalogue/answers.js';
import { findDocuments } from '../../store/documents/document-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { documentSubject } from '../documents/subject.js';
import type { ApplySession } from './session.js';

/*
 * A "yes" may require a document for each incident, such as court papers. The user selects the
 * question and incident of each document, which only operators and departments see. What is missing
 * is counted by the kind of document alone: a link also opens the pages for others, who could
 * otherwise try with documents of their own which question was answered with "yes".
 */

type Asked = Pick<ApplySession, 'pinned' | 'application'>;

/** A kind of missing document, and the number. */
export interface MissingDocument {
  /** The id of the follow-up that requires it, such as `courtDocument`. */
  followUp: string;
  count: number;
}

/** The missing documents that the answers of an application require. */
export async function findMissingDocuments(
  context: Pick<BridgeContext, 'keys'>,
  db: Database,
  { pinned, application }: Asked,
  answers: Answers,
): Promise<MissingDocument[]> {
  const missing = new Map<string, number>();
  for (const { followUp, required } of requiredDocumentsOf(pinned, application, answers)) {
    if (required) missing.set(followUp, (missing.get(followUp) ?? 0) + 1);
  }
  if (missing.size === 0) return [];
  for (const row of await findDocuments(db, application.id)) {
    const subject = row.state === null ? documentSubject(context, application.mode, row) : undefined;
    if (subject !== undefined) missing.set(subject.followUp, (missing.get(subject.followUp) ?? 0) - 1);
  }
  return [...missing].flatMap(([followUp, count]) => (count > 0 ? [{ followUp, count }] : []));
}

/** The number of missing required documents, stored when the answers or documents last changed. */
export function countMissingDocuments({ saved }: Pick<ApplySession, 'saved'>): number {
  return Number(saved.background?.data['documentsMissing'] ?? 0);
}
