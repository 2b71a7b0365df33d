import { sql, type Kysely } from 'kysely';

/** Documents that users upload: what is known of each, and the encrypted content where no other storage keeps it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table document (
    id text primary key,
    application_id text not null references application,
    upload_id text not null,
    state text,
    serial integer,
    type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
    size integer not null,
    is_scanned boolean not null,
    name_sealed text,
    key_sealed text,
    created_at timestamptz not null,
    stored_at timestamptz,
    removed_at timestamptz
  )`,
  // A repeated upload, after an answer that was lost, finds the document of the first.
  `create unique index document_upload on document (application_id, upload_id)`,
  // Rows that an interrupted upload or a removal has left to be deleted.
  `create index document_leftover on document (created_at) where stored_at is null or removed_at is not null`,
  `create table document_content (
    id text primary key,
    content bytea not null
  )`,
  // Ciphertext does not get smaller: do not try.
  `alter table document_content alter column content set storage external`,
];
