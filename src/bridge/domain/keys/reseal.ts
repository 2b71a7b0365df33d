import {
  countOtherwiseSealed,
  findOtherwiseSealed,
  replaceSealed,
  type Resealed,
  type SealedRow,
} from '../../store/accounts/reseal-store.js';
import type { BridgeContext } from '../context.js';
import { sealedPrefix, UnknownKeyError } from './keys.js';
import { sealedColumns, type SealedColumn } from './sealed-columns.js';

/** What became of the sealed texts of one table. */
export interface ResealedTable {
  table: string;
  /** Texts that were sealed anew with the newest key. */
  resealed: number;
  /** Texts whose key is neither the newest nor one of the old ones: give it, or they are lost. */
  unreadable: number;
  /** Texts that are sealed with another key than the newest now. */
  left: number;
}

/** A page of work: small enough to leave the bridge in peace, large enough to be quick. */
const batchSize = 500;

/**
 * Seals with the newest key what older ones sealed, batch by batch, while the bridge is serving. Can be broken off and run again,
 * and run twice at once: what another process changes meanwhile is left to it.
 */
export async function reseal(context: Pick<BridgeContext, 'db' | 'keys'>): Promise<ResealedTable[]> {
  const tables: ResealedTable[] = [];
  for (const column of sealedColumns) tables.push(await resealColumn(context, column));
  return tables;
}

async function resealColumn(
  { db, keys }: Pick<BridgeContext, 'db' | 'keys'>,
  column: SealedColumn,
): Promise<ResealedTable> {
  const prefix = sealedPrefix(keys.newestId);
  let [resealed, unreadable] = [0, 0];
  let last: SealedRow | undefined;
  for (;;) {
    const rows = await findOtherwiseSealed(db, column, prefix, last, batchSize);
    if (rows.length === 0) break;
    const readable = rows.flatMap((row) => {
      const plain = unsealed(keys, column, row);
      return plain === undefined ? [] : [sealedAnew(keys, column, row, plain)];
    });
    unreadable += rows.length - readable.length;
    resealed += await replaceSealed(db, column, readable);
    last = rows.at(-1);
  }
  return { table: column.table, resealed, unreadable, left: await countOtherwiseSealed(db, column, prefix) };
}

function unsealed(keys: BridgeContext['keys'], { column, place }: SealedColumn, row: SealedRow): string | undefined {
  try {
    return keys.unseal(String(row[column]), place(row));
  } catch (error) {
    // Anything else is a text that was changed or moved: to go on would be to hide it.
    if (error instanceof UnknownKeyError) return undefined;
    throw error;
  }
}

function sealedAnew(keys: BridgeContext['keys'], column: SealedColumn, row: SealedRow, plain: string): Resealed {
  const sealed = keys.seal(plain, column.place(row));
  return { row, change: { [column.column]: sealed, ...column.also(row, plain, keys) } };
}
