/*
 * Notes of operators about an application, for their colleagues: what was said by phone, what to look
 * at next. Neither the user nor the partner sees them. They may name facts about the user, so they are
 * encrypted, erased with the application, and part of what a user may ask for.
 */
import { randomUUID } from 'node:crypto';
import { countNotes, findNotes, insertNote, type ApplicationNoteRow } from '../../store/applications/note-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import { inTransaction } from '../../store/transaction.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { inputLimits } from '../limits/limits.js';
import { lockApplication } from './lock-application.js';

const { notesPerApplication } = inputLimits;

/** A note as colleagues read it. */
export interface ApplicationNote {
  text: string;
  /** The operator, as in the audit trail. */
  author: string;
  createdAt: Date;
}

/** The associated data of the encrypted text of a note. */
export function noteAssociatedData(applicationId: string, id: string): string {
  return `${applicationId}/note/${id}`;
}

/**
 * Adds a note to an application.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when the application was erased or
 *   has as many notes as it may have.
 */
export async function addNote(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  { applicationId, text, actor }: { applicationId: string; text: string; actor: AuditActor },
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const { agencyId, mode, erasedAt } = await lockApplication(trx, applicationId);
    if (erasedAt !== null) throw new ApiError('invalid_transition', 'note: the data of this application was erased');
    if ((await countNotes(trx, applicationId)) >= notesPerApplication.max) {
      throw new ApiError('invalid_transition', `note: an application has at most ${notesPerApplication.max} notes`);
    }
    const id = randomUUID();
    const textEncrypted = context.keys.of(mode).encrypt(text, noteAssociatedData(applicationId, id));
    await insertNote(trx, { id, applicationId, author: actor, textEncrypted, createdAt: context.clock() });
    const entry = { agencyId, mode, actor, action: 'note.added', subject: applicationId, result: 'done' } as const;
    await recordAudit(trx, context, entry);
  });
}

/** The number of notes of an application. */
export function numberOfNotes({ db }: Pick<BridgeContext, 'db'>, applicationId: string): Promise<number> {
  return countNotes(db, applicationId);
}

/** The notes of an application, newest first. A text whose key is not available any more is left out. */
export async function listNotes(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  { id, mode }: Pick<ApplicationRow, 'id' | 'mode'>,
): Promise<ApplicationNote[]> {
  const ring = keys.of(mode);
  const readable = ({ textEncrypted }: ApplicationNoteRow) => ring.canDecrypt(textEncrypted);
  return (await findNotes(db, id)).filter(readable).map(({ id: noteId, author, createdAt, textEncrypted }) => ({
    text: ring.decrypt(textEncrypted, noteAssociatedData(id, noteId)),
    author,
    createdAt,
  }));
}
