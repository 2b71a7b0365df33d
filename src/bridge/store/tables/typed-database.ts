import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** The database, typed by {@link Tables}. */
export type Database = Kysely<Tables>;

/** A transaction of the database. Functions that take one do all their work in it. */
export type DatabaseTransaction = Transaction<Tables>;
