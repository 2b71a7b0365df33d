import { type Mode, modes } from '../../../contract/index.js';
import { deleteOldKeys, enterSecretKeys } from '../../store/keys/key-store.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, type AuditedContext, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { KeyRing, Keys } from './keys.js';

/** The context of a change of the known keys. */
type KeyContext = AuditedContext & Pick<BridgeContext, 'keys'>;

/**
 * Records the newest key of each mode. Resolves with a mode, and changes nothing, when the database
 * only knows other keys of that mode.
 *
 * @param areTrusted Whether a bridge may start although the database knows none of its keys.
 */
export async function enterKeys(context: KeyContext, areTrusted: boolean): Promise<Mode | undefined> {
  try {
    await inTransaction(context.db, async (trx) => {
      for (const mode of modes) {
        const { ids: keyIds, newestId } = context.keys.of(mode);
        const entered = await enterSecretKeys(trx, { mode, keyIds, now: context.clock(), areTrusted });
        if (entered === 'refused') throw new UnknownKeysError(mode);
        if (entered === 'known' || isSharedWithLive(context.keys, mode)) continue;
        const entry = { agencyId: '', actor: actorOfContext(context), subject: subjectOf(newestId) };
        await recordAudit(trx, context, { ...entry, action: 'keys.entered', result: entered });
      }
    });
    return undefined;
  } catch (error) {
    if (error instanceof UnknownKeysError) return error.mode;
    throw error;
  }
}

/** Rolls the transaction back. */
class UnknownKeysError extends Error {
  override readonly name = 'UnknownKeysError';
  readonly mode: Mode;

  constructor(mode: Mode) {
    super(`The database only knows other keys of ${mode} mode.`);
    this.mode = mode;
  }
}

/** Deletes the record of all keys but the newest of each mode, after everything was re-encrypted with it. */
export async function forgetOldKeys(context: KeyContext): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    for (const mode of modes) {
      const { newestId } = context.keys.of(mode);
      const count = await deleteOldKeys(trx, mode, newestId);
      if (count === 0 || isSharedWithLive(context.keys, mode)) continue;
      const entry = { agencyId: '', actor: actorOfContext(context), subject: subjectOf(newestId) };
      await recordAudit(trx, context, { ...entry, action: 'keys.forgotten', result: String(count) });
    }
  });
}

/** The newest keys, as the audit trail names them. */
export function subjectOfNewest(keys: Keys): string {
  const rings = modes.filter((mode) => !isSharedWithLive(keys, mode)).map((mode) => keys.of(mode));
  return rings.map(({ newestId }) => subjectOf(newestId)).join(', ');
}

/** A key of both modes is one entry of the audit trail. */
function isSharedWithLive(keys: Keys, mode: Mode): boolean {
  return mode !== 'live' && keys.of(mode).newestId.equals(keys.of('live').newestId);
}

/** The id of a key, which reveals nothing about it. */
function subjectOf(keyId: KeyRing['newestId']): string {
  return `key:${keyId.toString('hex')}`;
}
