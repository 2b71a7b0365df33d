import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import type { Tables } from '../tables/tables.js';
import { sqlName, type Database, type DatabaseTransaction } from '../tables/typed-database.js';

/** An agency whose secrets were hashed with an older key. */
export interface OldSecrets {
  agencyId: string;
  /** 1 or 2: the secrets of its credential that it has not used since. */
  count: number;
}

/** Finds the secrets of active credentials whose hash was made with another key than that of its mode. */
export async function findOldSecrets(db: Database, keyIds: Readonly<Record<Mode, Buffer>>): Promise<OldSecrets[]> {
  const { rows } = await sql<OldSecrets>`select agency.id as "agencyId", count(*) as count
    from credential join agency on agency.id = credential.agency_id,
      lateral (values (live_secret_hash, ${keyIds.live}::bytea), (test_secret_hash, ${keyIds.test}::bytea)) as secret (hash, key_id)
    where credential.is_active and agency.deactivated_at is null
      and substring(secret.hash from 1 for length(secret.key_id)) <> secret.key_id
    group by agency.id order by agency.id`.execute(db);
  return rows;
}

/** The link of a session: the newest session of its application or an earlier one. */
export interface SessionLink {
  mode: Mode;
  sessionId: string;
  linkHash: Buffer;
}

/** Reads the next sessions after an id, ordered by id. */
export function findSessionLinks(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<SessionLink[]> {
  const newest = db.selectFrom('application').select(['mode', 'sessionId', 'linkHash']);
  const earlier = db
    .selectFrom('earlierSession')
    .innerJoin('application', 'application.id', 'earlierSession.applicationId')
    .select(['application.mode', 'earlierSession.sessionId', 'earlierSession.linkHash']);
  return db
    .selectFrom(newest.unionAll(earlier).as('session'))
    .select(['mode', 'sessionId', 'linkHash'])
    .where('sessionId', '>', after)
    .orderBy('sessionId')
    .limit(limit)
    .execute();
}

/** A link that a repeated Idempotency-Key returns again. */
export interface RepeatableLink extends SessionLink {
  agencyId: string;
  key: string;
  /** When the key was taken. */
  takenAt: Date;
}

/**
 * Reads the next links, after one of them, that Idempotency-Keys taken since a time may return
 * again.
 */
export function findRepeatableLinks(
  db: Database,
  { since, after, limit }: { since: Date; after: RepeatableLink | undefined; limit: number },
): Promise<RepeatableLink[]> {
  return db
    .selectFrom('idempotencyKey')
    .innerJoin('application', 'application.id', 'idempotencyKey.applicationId')
    .leftJoin('earlierSession', 'earlierSession.sessionId', 'idempotencyKey.sessionId')
    .select((eb) => [
      'idempotencyKey.agencyId',
      'idempotencyKey.mode',
      'idempotencyKey.key',
      'idempotencyKey.createdAt as takenAt',
      'idempotencyKey.sessionId',
      eb.fn.coalesce('earlierSession.linkHash', 'application.linkHash').as('linkHash'),
    ])
    .where('idempotencyKey.createdAt', '>', since)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(idempotency_key.agency_id, idempotency_key.mode, idempotency_key.key)
            > (${after?.agencyId}, ${after?.mode}, ${after?.key})`,
      ),
    )
    .orderBy('idempotencyKey.agencyId')
    .orderBy('idempotencyKey.mode')
    .orderBy('idempotencyKey.key')
    .limit(limit)
    .execute();
}

/** The link of an open request for action. */
export interface ActionLink {
  mode: Mode;
  applicationId: string;
  state: string;
  actionSerial: number;
  actionLinkNumber: number;
  actionHash: Buffer;
}

/** Reads the open requests for action whose page is in the hosted application. */
export async function findActionLinks(db: Database): Promise<ActionLink[]> {
  const rows = await db
    .selectFrom('applicationState')
    .innerJoin('application', 'application.id', 'applicationState.applicationId')
    .select(['mode', 'applicationId', 'state', 'actionSerial', 'actionLinkNumber', 'actionHash'])
    .where('actionHash', 'is not', null)
    .where('actionUrlOverride', 'is', null)
    .execute();
  return rows.flatMap((row) => (row.actionHash === null ? [] : [{ ...row, actionHash: row.actionHash }]));
}

/**
 * Replaces the link of a session, unless it was replaced meanwhile. Resolves with whether this call
 * replaced it.
 */
export async function replaceSessionLink(
  db: Database,
  { sessionId, linkHash }: Pick<SessionLink, 'sessionId' | 'linkHash'>,
  to: Buffer,
): Promise<boolean> {
  const newest = await db
    .updateTable('application')
    .set({ linkHash: to })
    .where('sessionId', '=', sessionId)
    .where('linkHash', '=', linkHash)
    .executeTakeFirst();
  if (newest.numUpdatedRows > 0n) return true;
  // In this order, because a session that is followed by a new one meanwhile moves from the first
  // table to the second.
  const earlier = await db
    .updateTable('earlierSession')
    .set({ linkHash: to })
    .where('sessionId', '=', sessionId)
    .where('linkHash', '=', linkHash)
    .executeTakeFirst();
  return earlier.numUpdatedRows > 0n;
}

/**
 * Replaces the link of a request for action, unless it was answered meanwhile. Resolves with
 * whether this call replaced it.
 */
export async function replaceActionLink(db: Database, { actionHash }: ActionLink, to: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applicationState')
    .set({ actionHash: to })
    .where('actionHash', '=', actionHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A column with encrypted texts, and the columns that identify its row. */
export interface EncryptedColumnName {
  table: keyof Tables;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /**
   * The mode of a row: its column `mode`, that of its application, or `live` for what belongs to no
   * mode.
   */
  modeOf: 'column' | 'application' | 'live';
}

/** The prefixes of the texts of the newest keys, by mode. */
export type NewestPrefixes = Readonly<Record<Mode, string>>;

/** All columns of a row with an encrypted text. */
export type EncryptedRow = Record<string, unknown>;

/** A row that {@link findEncryptedWithOldKey} found, and the mode of its keys. */
export type FoundRow = EncryptedRow & { keyMode: Mode };

/** Reads the next rows, ordered by key, whose text does not begin with the prefix of its mode. */
export async function findEncryptedWithOldKey(
  db: Database,
  encrypted: EncryptedColumnName,
  prefixes: NewestPrefixes,
  after: EncryptedRow | undefined,
  limit: number,
): Promise<FoundRow[]> {
  const { table, key } = encrypted;
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const rest = after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(key.map((name) => after[name]))})`;
  const { rows } = await sql<FoundRow>`select *, ${modeOf(encrypted)} as "keyMode" from ${sql.table(table)}
    where ${hasOldKey(encrypted, prefixes)} and ${rest} order by ${columns} limit ${limit}`.execute(db);
  return rows;
}

/** A re-encrypted text, and the other columns of its row that change with it. */
export interface ReEncrypted {
  row: EncryptedRow;
  /** Columns and their values as JSON; bytes as hex after `\x`. */
  change: Record<string, string | string[] | null>;
}

/**
 * Writes re-encrypted texts, unless their row has changed meanwhile. Resolves with how many were
 * written.
 */
export async function replaceEncrypted(
  db: Database,
  { table, column, key }: EncryptedColumnName,
  reEncrypted: readonly ReEncrypted[],
): Promise<number> {
  const [first] = reEncrypted;
  if (first === undefined) return 0;
  const entries = reEncrypted.map(({ row, change }) => {
    const fresh = [...key.map((name) => [name, jsonOf(row[name])] as const), ...Object.entries(change)];
    return { from: row[column], fresh: Object.fromEntries(fresh.map(([name, value]) => [sqlName(name), value])) };
  });
  const assignments = Object.keys(first.change).map((name) => sql`${sql.ref(name)} = fresh.${sql.ref(name)}`);
  const sameRow = key.map((name) => sql`held.${sql.ref(name)} = fresh.${sql.ref(name)}`);
  // The table's own row type reads the JSON: every column has the type that it has there.
  const { numAffectedRows } = await sql`update ${sql.table(table)} as held set ${sql.join(assignments)}
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) as entry,
      jsonb_populate_record(null::${sql.table(table)}, entry -> 'fresh') as fresh
    where ${sql.join(sameRow, sql` and `)} and held.${sql.ref(column)} = entry ->> 'from'`.execute(db);
  return Number(numAffectedRows);
}

/** A value of a row as PostgreSQL reads it from JSON. */
function jsonOf(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}

/** Counts the texts that do not begin with the prefix of their mode. */
export async function countEncryptedWithOldKey(
  db: Database,
  encrypted: EncryptedColumnName,
  prefixes: NewestPrefixes,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(encrypted.table)}
    where ${hasOldKey(encrypted, prefixes)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Not `like`: the id of a key may contain its wildcards. */
function hasOldKey(encrypted: EncryptedColumnName, { live, test }: NewestPrefixes): RawBuilder<boolean> {
  const column = sql.ref(encrypted.column);
  const prefix = sql`case ${modeOf(encrypted)} when 'live' then ${live}::text else ${test}::text end`;
  return sql<boolean>`${column} is not null and not starts_with(${column}, ${prefix})`;
}

function modeOf({ table, modeOf: source }: EncryptedColumnName): RawBuilder<Mode> {
  if (source === 'live') return sql<Mode>`'live'`;
  if (source === 'column') return sql<Mode>`${sql.ref(`${table}.mode`)}`;
  return sql<Mode>`(select mode from application where application.id = ${sql.ref(`${table}.applicationId`)})`;
}

/** Compares the keys of a mode with those that the database knows. */
export interface KeyEntry {
  mode: Mode;
  /** The ids of all keys, newest first. */
  keyIds: readonly Buffer[];
  now: Date;
  /** Whether a bridge may start although the database knows none of its keys. */
  areTrusted: boolean;
}

/**
 * What became of the newest key: `known` was recorded already; `first`, `changed` and `trusted`
 * (although none of the bridge's keys was known) are recorded now; `refused` changes nothing.
 */
export type EnteredKey = 'known' | 'first' | 'changed' | 'trusted' | 'refused';

/** Records the newest key, unless the database only knows other keys. */
export async function enterSecretKeys(
  trx: DatabaseTransaction,
  { mode, keyIds, now, areTrusted }: KeyEntry,
): Promise<EnteredKey> {
  const [newest] = keyIds;
  if (newest === undefined) return 'refused';
  // When two bridges with different keys start for the first time, the second must find the key
  // of the first.
  await sql`lock table secret_key in share row exclusive mode`.execute(trx);
  const known = await trx.selectFrom('secretKey').select('keyId').where('mode', '=', mode).execute();
  const isKnown = (id: Buffer) => known.some(({ keyId }) => keyId.equals(id));
  if (isKnown(newest)) return 'known';
  const isOurs = keyIds.some(isKnown);
  if (!areTrusted && known.length > 0 && !isOurs) return 'refused';
  await trx.insertInto('secretKey').values({ mode, keyId: newest, firstUsedAt: now }).execute();
  if (known.length === 0) return 'first';
  return isOurs ? 'changed' : 'trusted';
}

/** Deletes the record of all keys of a mode but the newest. Resolves with their number. */
export async function deleteOldKeys(db: Database, mode: Mode, newestId: Buffer): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('secretKey')
    .where('mode', '=', mode)
    .where('keyId', '<>', newestId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
