import { sql, type Kysely } from 'kysely';

/** Which secret keys this database knows: their ids, which say nothing about the keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table secret_key (
    key_id bytea primary key,
    first_used_at timestamptz not null
  )`,
  // Each key that hashed a secret was the bridge's at some time: every hash begins with the six bytes of its id.
  `insert into secret_key
    select substring(hash from 1 for 6), min(created_at)
    from credential, lateral (values (live_secret_hash), (test_secret_hash)) as secret (hash)
    group by 1`,
];
