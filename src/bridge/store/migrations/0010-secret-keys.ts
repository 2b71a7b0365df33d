import { sql, type Kysely } from 'kysely';

/**
 * The ids of the secret keys that this database was used with. An id reveals nothing about its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table secret_key (
    key_id bytea primary key,
    first_used_at timestamptz not null
  )`,
  // Every hash of a secret begins with the six bytes of the id of its key.
  `insert into secret_key
    select substring(hash from 1 for 6), min(created_at)
    from credential, lateral (values (live_secret_hash), (test_secret_hash)) as secret (hash)
    group by 1`,
];
