import { createHash } from 'node:crypto';
import {
  type AuditLink,
  countUnlinked,
  findLastLink,
  findLinks,
  insertLinks,
  takeUnlinked,
  tryLockChain,
} from '../../store/audit/chain-store.js';
import type { AuditEntryRow } from '../../store/audit/audit-store.js';
import { inTransaction } from '../../store/transaction.js';
import type { BridgeContext } from '../context.js';
import { type AuditEntry, entryOf } from './audit.js';

/*
 * The audit trail as a chain: each entry has a link, whose hash covers the entry and the link before
 * it. A changed, removed or added entry needs a new hash of every later one, and the newest hash is
 * in the log of the bridge and in each export. Plain SHA-256 without a key, so
 * that an auditor verifies an export without the bridge and without its secrets.
 *
 * Entries are linked a moment after they were written and not in their transactions, which would
 * have to wait for each other.
 */

/** An entry with its link, as it is exported. */
export interface ExportedEntry extends AuditEntry {
  position: number;
  /** SHA-256 of {@link canonicalEntry}, in hexadecimal. */
  entryHash: string;
  /** SHA-256 of the previous entry's `hash` and this `entryHash`, in hexadecimal. */
  hash: string;
}

/** The result of {@link verifyAudit}. */
export interface AuditVerification {
  /** The entries in the chain, without those that the retention has removed. */
  linked: number;
  /** The entries that are not linked yet. */
  waiting: number;
  /** The newest position and the first half of its hash, such as `1200:9f…`; "" for an empty chain. */
  head: string;
  /** The faults, in one sentence each; at most {@link maxFaults}. */
  faults: string[];
}

const batchSize = 1_000;
const maxFaults = 20;
/** The hash before the first one. */
const start = Buffer.alloc(32);

/**
 * Links the entries that have no link yet. Runs every minute on one instance at a time. The new head
 * goes to the log, which an intruder in the database does not reach.
 */
export async function linkAudit(context: Pick<BridgeContext, 'db' | 'log'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const links = await linkBatch(context);
    const last = links.at(-1);
    if (last === undefined) return;
    context.log.info({ auditHead: headOf(last), entries: links.length }, 'Entries of the audit trail were linked.');
    if (links.length < batchSize || signal?.aborted === true) return;
  }
}

function linkBatch({ db }: Pick<BridgeContext, 'db'>): Promise<AuditLink[]> {
  return inTransaction(db, async (trx) => {
    if (!(await tryLockChain(trx))) return [];
    const rows = await takeUnlinked(trx, batchSize);
    const previous = await findLastLink(trx);
    let { position, hash }: Pick<AuditLink, 'position' | 'hash'> = previous ?? { position: 0, hash: start };
    const links = rows.map((row) => {
      const entryHash = hashOf(row);
      position += 1;
      hash = sha256(hash, entryHash);
      return { position, entryId: row.id, at: row.at, entryHash, hash };
    });
    if (links.length > 0) await insertLinks(trx, links);
    return links;
  });
}

/**
 * The text of an entry that is hashed: its values as a JSON array, in the order of their columns.
 */
export function canonicalEntry(entry: AuditEntry): string {
  const { id, at, agencyId, mode, actor, action, subject, requestId, result, note } = entry;
  return JSON.stringify([id, at, agencyId, mode, actor, action, subject, requestId, result, note]);
}

/**
 * Reads the whole chain and compares it with the entries.
 *
 * @param options.retentionDays Entries of this age may be missing; 0: none may.
 * @param options.knownHead A head of the log or of an earlier export: it must be in the chain.
 */
export async function verifyAudit(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  { retentionDays, knownHead }: { retentionDays: number; knownHead?: string | undefined },
): Promise<AuditVerification> {
  const faults: string[] = [];
  const oldest = retentionDays === 0 ? -Infinity : context.clock().getTime() - retentionDays * 24 * 3_600_000;
  let previous: Pick<AuditLink, 'position' | 'hash'> = { position: 0, hash: start };
  let linked = 0;
  let isHeadKnown = knownHead === undefined;
  for await (const link of readLinks(context)) {
    const { position, entry, at } = link;
    const isFirstOfRest = previous.position === 0 && position > 1 && entry === undefined;
    if (!isFirstOfRest) faults.push(...faultsOfOrder(previous, link));
    if (entry !== undefined) {
      linked += 1;
      if (!link.entryHash.equals(hashOf(entry))) faults.push(`${nameOf(link)} was changed.`);
    } else if (at.getTime() > oldest) faults.push(`${nameOf(link)} was removed before the end of its retention.`);
    isHeadKnown ||= headOf(link) === knownHead;
    previous = link;
    if (faults.length >= maxFaults) break;
  }
  const { waiting, outside } = await countUnlinked(context.db);
  if (outside > 0) faults.push(`${outside} entries were written past the chain.`);
  if (!isHeadKnown) faults.push(`The head ${knownHead} is not in the chain: its end was cut off or replaced.`);
  const head = previous.position === 0 ? '' : headOf(previous);
  return { linked, waiting, head, faults: faults.slice(0, maxFaults) };
}

function faultsOfOrder(previous: Pick<AuditLink, 'position' | 'hash'>, link: AuditLink): string[] {
  if (link.position !== previous.position + 1) {
    return [`Positions ${previous.position + 1} to ${link.position - 1} were removed.`];
  }
  return link.hash.equals(sha256(previous.hash, link.entryHash))
    ? []
    : [`${nameOf(link)} does not follow the one before it.`];
}

function nameOf({ entryId, position }: AuditLink): string {
  return `Entry ${entryId} (position ${position})`;
}

/** Reads the linked entries of a period with their links, oldest first. */
export async function* exportAudit(
  context: Pick<BridgeContext, 'db'>,
  { since, until }: { since?: Date | undefined; until?: Date | undefined },
): AsyncGenerator<ExportedEntry> {
  for await (const { position, entry, entryHash, hash } of readLinks(context)) {
    if (entry === undefined || (since && entry.at < since) || (until && entry.at >= until)) continue;
    yield { ...entryOf(entry), position, entryHash: entryHash.toString('hex'), hash: hash.toString('hex') };
  }
}

async function* readLinks({ db }: Pick<BridgeContext, 'db'>) {
  for (let position = 0; ;) {
    const links = await findLinks(db, position, batchSize);
    yield* links;
    if (links.length < batchSize) return;
    position = links.at(-1)?.position ?? position;
  }
}

function hashOf(row: AuditEntryRow): Buffer {
  return sha256(canonicalEntry(entryOf(row)));
}

/** Half of the hash is enough to recognize it, and is not taken for a token by the log. */
function headOf({ position, hash }: Pick<AuditLink, 'position' | 'hash'>): string {
  return `${position}:${hash.toString('hex').slice(0, 32)}`;
}

function sha256(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
