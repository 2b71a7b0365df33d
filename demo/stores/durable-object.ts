// wrangler.jsonc: a Durable Object binding LICENSING of this class, in "new_sqlite_classes" of "migrations"
import { DurableObject } from 'cloudflare:workers';
import type { ApplicationRecord, LicensingStore } from 'licensing-apply/server';

/** Keeps all records in the SQLite of one object, which runs one method at a time. */
export class LicensingRecords extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  #select(condition: string, ...values: (string | number)[]): ApplicationRecord[] {
    this.#sql.exec(`create table if not exists records
      (id text primary key, version int, application text, user text, open int, created text, record text)`);
    const rows = this.#sql.exec(`select record from records where ${condition}`, ...values);
    return [...rows].map(({ record }) => JSON.parse(String(record)) as ApplicationRecord);
  }

  get(id: string) {
    return this.#select('id = ?', id)[0];
  }

  put(record: ApplicationRecord) {
    const { id, version, applicationId = null, userId, isOpen, createdAt, supersededBy } = record;
    if ((this.get(id)?.version ?? 0) !== version - 1) return false;
    // A superseded record is found by its id only.
    const [application, user] = supersededBy === undefined ? [applicationId, userId] : [null, null];
    const values = [id, version, application, user, Number(isOpen), createdAt, JSON.stringify(record)];
    this.#sql.exec('insert or replace into records values (?, ?, ?, ?, ?, ?, ?)', ...values);
    return true;
  }

  byApplication(applicationId: string) {
    return this.#select('application = ? order by created, id', applicationId)[0];
  }

  byUser(userId: string, limit: number) {
    return this.#select('user = ? order by created desc, id desc limit ?', userId, limit);
  }

  listOpen(after: string, limit: number) {
    return this.#select('open and id > ? order by id limit ?', after, limit);
  }
}

/** Creates a store on a Durable Object. */
export function durableObjectStore(namespace: DurableObjectNamespace<LicensingRecords>): LicensingStore {
  const records = () => namespace.get(namespace.idFromName('licensing'));
  return {
    get: async (id) => records().get(id),
    put: async (record) => records().put(record),
    byApplication: async (applicationId) => records().byApplication(applicationId),
    byUser: async (userId, limit) => records().byUser(userId, limit),
    listOpen: async (after = '', limit) => records().listOpen(after, limit),
  };
}
