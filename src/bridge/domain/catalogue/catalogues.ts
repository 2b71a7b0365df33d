import { createHash } from 'node:crypto';
import { createCatalogue, type Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueContent } from '../../catalogue/content.js';
import {
  type CatalogueRow,
  findCatalogue,
  findChecksum,
  findCurrentVersion,
  insertCatalogue,
} from '../../store/catalogue/catalogue-store.js';
import type { Database } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, type AuditedContext, recordAudit } from '../audit/audit.js';
import { canonicalJson } from '../values/canonical-json.js';

/** The releases that applications pin. */
export interface PinnedCatalogues {
  /** The release that an application pins. */
  at(db: Database, version: string): Promise<Catalogue>;
}

/** The releases of the catalogue. Used releases are cached in memory, because they never change. */
export interface Catalogues extends PinnedCatalogues {
  /** The release that a new session pins. */
  current(db: Database, now: Date): Promise<Catalogue>;
}

/** @param shipped The release in this version of the bridge. */
export function createCatalogues(shipped: CatalogueContent): Catalogues {
  const own = createCatalogue(shipped);
  const used = new Map([[own.version, own]]);
  const at: Catalogues['at'] = async (db, version) => {
    const found = used.get(version);
    if (found !== undefined) return found;
    const created = await catalogueAt(db, version);
    used.set(created.version, created);
    return created;
  };
  return {
    at,
    async current(db, now) {
      const version = await findCurrentVersion(db, now.toISOString().slice(0, 10));
      return version === undefined ? own : at(db, version);
    },
  };
}

/** Reads the stored release that an application pins, without a cache. */
export async function catalogueAt(db: Database, version: string): Promise<Catalogue> {
  const catalogue = await readCatalogue(db, version);
  if (catalogue === undefined) throw new Error(`There is no catalogue with the version ${version}.`);
  return createCatalogue(catalogue);
}

/**
 * Reads a stored release; `undefined` when there is none of the version. @throws Error when it was
 * changed in the database.
 */
export async function readCatalogue(db: Database, version: string): Promise<CatalogueContent | undefined> {
  const row = await findCatalogue(db, version);
  // A changed release would not contain the texts that users saw and signed.
  if (row !== undefined && checksumOf(row.content) !== row.checksum) {
    throw new Error(`The catalogue ${version} was changed in the database.`);
  }
  return row?.content;
}

/** A release cannot be stored, because its version is stored with other content. */
export class CatalogueConflict extends Error {
  override readonly name = 'CatalogueConflict';
}

/**
 * Stores a validated release. Resolves with whether it is new.
 *
 * @param source `shipped`, or the imported folder.
 * @throws CatalogueConflict
 */
export async function storeCatalogue(
  context: AuditedContext,
  content: CatalogueContent,
  { source }: { source: string },
): Promise<{ isNew: boolean }> {
  const { version, effective } = content.release;
  const checksum = checksumOf(content);
  const before = await findChecksum(context.db, version);
  const row = { version, effective, content, checksum, source, importedAt: context.clock() };
  const { isNew, stored } = before === undefined ? await insert(context, row) : { isNew: false, stored: before };
  if (stored !== checksum) {
    throw new CatalogueConflict(
      `The database has the catalogue ${version} with other content. Set another version in release.json.`,
    );
  }
  return { isNew };
}

/** Stores a release with its audit entry, unless another process has stored it meanwhile. */
function insert(context: AuditedContext, row: CatalogueRow): Promise<{ isNew: boolean; stored: string }> {
  return inTransaction(context.db, async (trx) => {
    const isNew = await insertCatalogue(trx, row);
    if (!isNew) return { isNew, stored: (await findChecksum(trx, row.version)) ?? '' };
    const entry = { agencyId: '', actor: actorOfContext(context), subject: row.version, result: 'done' };
    await recordAudit(trx, context, { ...entry, action: 'catalogue.imported' });
    return { isNew, stored: row.checksum };
  });
}

function checksumOf(content: CatalogueContent): string {
  return createHash('sha256').update(canonicalJson(content)).digest('base64url');
}
