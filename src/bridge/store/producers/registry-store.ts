import { sql } from 'kysely';
import type { Mode, ProducerSection, StateCode } from '../../../contract/index.js';
import type { StateLicense } from '../../ports/producer-registry.js';
import type { Database } from '../tables/typed-database.js';
import type { StoredProducer } from '../tables/producer-tables.js';

/** A producer's document and its times. */
export interface StoredProducerRow {
  npn: number;
  detail: StoredProducer;
  createdAt: Date;
  updatedAt: Date;
}

/** Reads which of some NPNs exist. */
export async function findNpnsAmong(db: Database, mode: Mode, npns: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('registryProducer')
    .select('npn')
    .where('mode', '=', mode)
    .where(anyOf(npns))
    .execute();
  return rows.map(({ npn }) => String(npn));
}

/** Reads the first NPNs of a registry. */
export async function findFirstNpns(db: Database, mode: Mode, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('registryProducer')
    .select('npn')
    .where('mode', '=', mode)
    .orderBy('npn')
    .limit(limit)
    .execute();
  return rows.map(({ npn }) => String(npn));
}

/** Reads the existing producers among some NPNs. */
export function findStoredProducers(db: Database, mode: Mode, npns: readonly string[]): Promise<StoredProducerRow[]> {
  return db
    .selectFrom('registryProducer')
    .select(['npn', 'detail', 'createdAt', 'updatedAt'])
    .where('mode', '=', mode)
    .where(anyOf(npns))
    .execute();
}

/** Reads the names of the existing producers among some NPNs. */
export function findStoredNames(
  db: Database,
  mode: Mode,
  npns: readonly string[],
): Promise<{ npn: number; firstName: string; lastName: string }[]> {
  return db
    .selectFrom('registryProducer')
    .select(['npn', 'firstName', 'lastName'])
    .where('mode', '=', mode)
    .where(anyOf(npns))
    .execute();
}

/** Reads the active licenses of some NPNs in some states, ordered by NPN and number. */
export async function findStoredLicenses(
  db: Database,
  mode: Mode,
  npns: readonly string[],
  states: readonly StateCode[],
): Promise<StateLicense[]> {
  const { rows } = await sql<Omit<StateLicense, 'npn'> & { npn: number }>`
    select p.npn, asked.state, license.item ->> 0 as license_number, license.item ->> 1 as residency_status
    from registry_producer p
    cross join unnest(${states}::text[]) as asked (state)
    cross join lateral jsonb_array_elements(p.active_licenses -> asked.state) as license (item)
    where p.mode = ${mode} and p.npn = any(${npns}::bigint[])
    order by p.npn, (license.item ->> 0) collate "C"`.execute(db);
  return rows.map((row) => ({ ...row, npn: String(row.npn) }));
}

/**
 * Finds the NPN for one of some look-up hashes: the lowest, when several have the same SSN and
 * name.
 */
export async function findNpnByHash(db: Database, mode: Mode, hashes: readonly Buffer[]): Promise<string | undefined> {
  const rows = await db
    .selectFrom('registryProducer')
    .select('npn')
    .where('mode', '=', mode)
    .where('lookUpHash', 'in', hashes)
    .execute();
  // Not ordered and limited by the database: without statistics of a new registry it would read all
  // NPNs to find the first.
  return rows.length === 0 ? undefined : String(Math.min(...rows.map(({ npn }) => npn)));
}

/** An update as it is read. */
export interface StoredUpdateRow extends StoredProducerRow {
  changes: ProducerSection[];
}

/** Finds the newest update of a producer before a time. */
export function findLatestUpdate(
  db: Database,
  mode: Mode,
  npn: string,
  before: Date,
): Promise<StoredUpdateRow | undefined> {
  return db
    .selectFrom('registryUpdate as update')
    .innerJoin('registryProducer as producer', (join) =>
      join.onRef('producer.mode', '=', 'update.mode').onRef('producer.npn', '=', 'update.npn'),
    )
    .select(['update.npn', 'update.detail', 'update.changes', 'update.updatedAt', 'producer.createdAt'])
    .where('update.mode', '=', mode)
    .where('update.npn', '=', Number(npn))
    .where('update.updatedAt', '<', before)
    .orderBy('update.updatedAt', 'desc')
    .orderBy('update.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function anyOf(npns: readonly string[]) {
  // One parameter for the whole list: otherwise each length of a list would be parsed and planned
  // separately.
  return sql<boolean>`npn = any(${npns}::bigint[])`;
}
