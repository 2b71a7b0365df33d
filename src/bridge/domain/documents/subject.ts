import type { Mode } from '../../../contract/index.js';
import { parseSubject, type DocumentSubject } from '../../catalogue/document-subjects.js';
import type { DocumentRow } from '../../store/documents/document-store.js';
import type { BridgeContext } from '../context.js';
import { documentAssociatedData } from './content-key.js';

/** Decrypts the part of an answer that a document belongs to; `undefined` where the user chose none. */
export function documentSubject(
  { keys }: Pick<BridgeContext, 'keys'>,
  mode: Mode,
  { id, applicationId, subjectEncrypted: encrypted }: DocumentRow,
): DocumentSubject | undefined {
  if (encrypted === null) return undefined;
  return parseSubject(keys.of(mode).decrypt(encrypted, documentAssociatedData('subject', applicationId, id)));
}
