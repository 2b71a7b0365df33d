import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/**
 * The database, typed by {@link Tables}. Its tables and columns are in snake_case in SQL and in
 * camelCase here.
 */
export type Database = Kysely<Tables>;

/** A transaction of the database. Functions that take one do all their work in it. */
export type DatabaseTransaction = Transaction<Tables>;

/** The name of a table or column in SQL, such as `user_id` for `userId`. */
export function sqlName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
