import { sql, type Kysely } from 'kysely';

/** Releases of the catalogue are kept for good, and an application pins the one that it was created with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table catalogue (
    version text primary key,
    effective text not null,
    content jsonb not null,
    checksum text not null,
    source text not null,
    imported_at timestamptz not null
  )`.execute(db);
  // Nullable: the version before writes none. No foreign key: releases are never deleted, and each new application would lock its row.
  await sql`alter table application add column catalogue_version text`.execute(db);
}
