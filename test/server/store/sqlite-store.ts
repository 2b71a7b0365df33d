import { DatabaseSync } from 'node:sqlite';
import type { ApplicationRecord, LicensingStore } from '../../../src/server/store/licensing-store.js';

const insert = 'insert or ignore into records values ($id, $version, $application, $user, $open, $created, $record)';
const update = `
  update records set version = $version, application = $application, user = $user, open = $open, created = $created,
    record = $record
  where id = $id and version = $version - 1`;

/** Creates a store in a SQLite file: an example of a store of your own. */
export function sqliteStore(file: string): LicensingStore & { close(): void } {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`
    pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists records (
      id text primary key, version int, application text, user text, open int, created text, record text);
    create index if not exists of_application on records (application);
    create index if not exists of_user on records (user, created);`);

  function select(condition: string, ...values: (string | number)[]): ApplicationRecord[] {
    const rows = database.prepare(`select record from records where ${condition}`).all(...values);
    return rows.map((row) => JSON.parse(String(row['record'])) as ApplicationRecord);
  }

  return {
    get: async (id) => select('id = ?', id)[0],
    async put(record) {
      // A superseded record is found by its id only.
      const isSuperseded = record.supersededBy !== undefined;
      const row = {
        id: record.id,
        version: record.version,
        application: isSuperseded ? null : (record.applicationId ?? null),
        user: isSuperseded ? null : record.userId,
        open: Number(record.isOpen),
        created: record.createdAt,
        record: JSON.stringify(record),
      };
      const { changes } = database.prepare(record.version === 1 ? insert : update).run(row);
      return changes === 1;
    },
    byApplication: async (applicationId) => select('application = ? order by created, id', applicationId)[0],
    byUser: async (userId, limit) => select('user = ? order by created desc, id desc limit ?', userId, limit),
    listOpen: async (after = '', limit) => select('open and id > ? order by id limit ?', after, limit),
    close: () => database.close(),
  };
}
