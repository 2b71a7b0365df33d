import { deleteOldKeys, enterSecretKeys } from '../../store/keys/key-store.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, type AuditedContext, recordAudit } from '../audit/audit.js';
import type { Keys } from './keys.js';

/** The context of a change of the known keys. */
type KeyContext = AuditedContext & { keys: Pick<Keys, 'ids' | 'newestId'> };

/**
 * Records the newest key. Resolves with `false`, and changes nothing, when the database only knows
 * other keys.
 *
 * @param areTrusted Whether a bridge may start although the database knows none of its keys.
 */
export function enterKeys(context: KeyContext, areTrusted: boolean): Promise<boolean> {
  const { keys, clock } = context;
  return inTransaction(context.db, async (trx) => {
    const entered = await enterSecretKeys(trx, { keyIds: keys.ids, now: clock(), areTrusted });
    if (entered === 'refused' || entered === 'known') return entered === 'known';
    const entry = { agencyId: '', actor: actorOfContext(context), subject: subjectOf(keys.newestId) };
    await recordAudit(trx, context, { ...entry, action: 'keys.entered', result: entered });
    return true;
  });
}

/** Deletes the record of all keys but the newest, after everything was re-encrypted with it. */
export async function forgetOldKeys(context: KeyContext): Promise<void> {
  const { newestId } = context.keys;
  await inTransaction(context.db, async (trx) => {
    const count = await deleteOldKeys(trx, newestId);
    if (count === 0) return;
    const entry = { agencyId: '', actor: actorOfContext(context), subject: subjectOf(newestId) };
    await recordAudit(trx, context, { ...entry, action: 'keys.forgotten', result: String(count) });
  });
}

/** The id of a key, which reveals nothing about it. */
function subjectOf(keyId: Buffer): string {
  return `key:${keyId.toString('hex')}`;
}
