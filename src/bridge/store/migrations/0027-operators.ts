import { sql, type Kysely } from 'kysely';

/** The operators of the console, their sessions, and the operator's reason in the audit trail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table operator (
    id text primary key,
    name text not null,
    role text not null check (role in ('view', 'file')),
    password_hash text not null,
    is_password_temporary boolean not null,
    totp_sealed text,
    totp_last_step bigint,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    disabled_at timestamptz
  )`,
  // Names are typed at every sign-in, so two names that differ only in case would be confused.
  `create unique index operator_name on operator (lower(name))`,
  `create table operator_session (
    token_hash bytea primary key,
    operator_id text not null references operator on delete cascade,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index operator_session_operator on operator_session (operator_id)`,
  `create index operator_session_expiry on operator_session (expires_at)`,
  `alter table audit_entry add column note text`,
];
