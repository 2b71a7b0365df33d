import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './tables/typed-database.js';

/** A query with a constant text, called with the values of its parameters. */
export type Statement<Given, Row> = (db: Database, given: Given) => Promise<Row[]>;

/**
 * Creates a query that is built once and that each connection prepares once. For queries of every
 * request: building one costs this process more than the rest of a read, and planning one costs the
 * server more than running it. The text begins with the name in a comment, by which the pool, and
 * an operator in `pg_stat_activity`, recognize it.
 *
 * @param name Unique.
 * @param build Receives placeholders instead of values: it passes them on and reads none. It lists
 *   its columns, because a prepared `select *` fails after a newer version of the bridge has added
 *   a column.
 */
export function statement<Given extends object, Row>(
  name: string,
  build: (db: Database, given: Given) => Compilable<Row>,
): Statement<Given, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async function execute(db, given) {
    compiled ??= named(name, build(db, placeholders as Given).compile());
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? given[value.key as keyof Given] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/**
 * The name in a text that {@link statement} created. Other texts are not kept prepared, because
 * their number is unlimited.
 */
export function statementName(text: string): string | undefined {
  return /^\/\* (\w+) \*\/ /.exec(text)?.[1];
}

function named<Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, sql: `/* ${name} */ ${query.sql}` };
}

class Placeholder {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

/** Returns a placeholder for every name. */
const placeholders = new Proxy({}, { get: (_target, key) => new Placeholder(String(key)) });
