import { sql, type Kysely } from 'kysely';

/**
 * Each stream of webhooks has its agency and mode, so that the worker, which shares its time among
 * agencies, reads no application. Each event has its trace context.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table webhook_event add column traceparent text`,
  `alter table webhook_stream add column agency_id text, add column mode text`,
  `update webhook_stream set agency_id = application.agency_id, mode = application.mode
    from application where application.id = webhook_stream.application_id`,
  // For instances of the previous version, which do not write these columns.
  `create function webhook_stream_owner() returns trigger language plpgsql as $$
    begin
      select agency_id, mode into new.agency_id, new.mode from application where id = new.application_id;
      return new;
    end
  $$`,
  `create trigger webhook_stream_owner before insert on webhook_stream
    for each row when (new.agency_id is null) execute function webhook_stream_owner()`,
  `alter table webhook_stream alter column agency_id set not null, alter column mode set not null`,
  // Finds the next stream of each agency without reading the streams of others.
  `create index webhook_stream_agency_due on webhook_stream (agency_id, due_at) where due_at is not null`,
];
