import type { Language } from '../../../contract/index.js';
import { type Answers, requiredDocumentsOf } from '../../catalogue/answers.js';
import { questionsFor, flattenQuestions } from '../../catalogue/questions.js';
import { followUpTexts } from '../../catalogue/wording.js';
import { findDocuments } from '../../store/documents/document-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { documentAssociatedData } from '../documents/content-key.js';
import type { ApplySession } from './session.js';

/*
 * A "yes" may require a document, such as court papers. The user selects the kind of each document,
 * and every answer that requires a kind needs a separate document. No page shows which question
 * required it: a page offers the kinds of all its questions.
 */

type Asked = Pick<ApplySession, 'pinned' | 'application'>;

/** A kind of missing document, and the number. */
export interface MissingDocument {
  /** The id of the follow-up that requires it, such as `courtDocument`. */
  kind: string;
  count: number;
}

/**
 * All kinds that the questions of an application may require, regardless of the answers, each with
 * its name.
 */
export function documentKinds({ pinned, application }: Asked, language: Language): { kind: string; name: string }[] {
  const names = new Map<string, string>();
  for (const { id, followUps } of flattenQuestions(questionsFor(pinned, application))) {
    for (const { id: kind, type, required } of followUps) {
      if (type !== 'document' || !required || names.has(kind)) continue;
      names.set(kind, followUpTexts(pinned, id, kind, language).label);
    }
  }
  return [...names].map(([kind, name]) => ({ kind, name }));
}

/** The missing documents that the answers of an application require. */
export async function findMissingDocuments(
  { keys }: Pick<BridgeContext, 'keys'>,
  db: Database,
  { pinned, application }: Asked,
  answers: Answers,
): Promise<MissingDocument[]> {
  const missing = new Map<string, number>();
  for (const { followUp, required } of requiredDocumentsOf(pinned, application, answers)) {
    if (required) missing.set(followUp, (missing.get(followUp) ?? 0) + 1);
  }
  if (missing.size === 0) return [];
  for (const { id, state, kindEncrypted: encrypted } of await findDocuments(db, application.id)) {
    if (state !== null || encrypted === null) continue;
    const kind = keys.of(application.mode).decrypt(encrypted, documentAssociatedData('kind', application.id, id));
    missing.set(kind, (missing.get(kind) ?? 0) - 1);
  }
  return [...missing].flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []));
}

/** The number of missing required documents, stored when the answers or documents last changed. */
export function countMissingDocuments({ saved }: Pick<ApplySession, 'saved'>): number {
  return Number(saved.background?.data['documentsMissing'] ?? 0);
}
