import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as a Date, written as one, absent where the column has a default. */
export type Timestamp = ColumnType<Date, Date, Date>;

/**
 * A `jsonb`: always written as text, because the driver would turn an array into a PostgreSQL
 * array.
 */
export type Json<T> = ColumnType<T, string, string>;
