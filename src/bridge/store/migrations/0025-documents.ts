import { sql, type Kysely } from 'kysely';

/**
 * Documents that users upload: their details, and the encrypted content where the database is the
 * storage.
 */
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
  // A repeated upload, after a lost answer, finds the document of the first one.
  `create unique index document_upload on document (application_id, upload_id)`,
  // Rows of interrupted uploads and removed documents, which are to be deleted.
  `create index document_leftover on document (created_at) where stored_at is null or removed_at is not null`,
  `create table document_content (
    id text primary key,
    content bytea not null
  )`,
  // Ciphertext cannot be compressed.
  `alter table document_content alter column content set storage external`,
];
