import { sql, type Kysely } from 'kysely';

/**
 * Releases of the catalogue are never deleted, and an application pins the release that it was
 * created with.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table catalogue (
    version text primary key,
    effective text not null,
    content jsonb not null,
    checksum text not null,
    source text not null,
    imported_at timestamptz not null
  )`.execute(db);
  // Nullable: the previous version does not write it. No foreign key: releases are never deleted,
  // and each new application would lock the row of its release.
  await sql`alter table application add column catalogue_version text`.execute(db);
}
