import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './tables/typed-database.js';

/** A query whose text never changes, called with the values of its parameters. */
export type Statement<Given, Row> = (db: Database, given: Given) => Promise<Row[]>;

/**
 * Makes a query that is built once and that each connection prepares once, for what every request asks: building it costs this
 * process more than all else that it does for a read, and planning it costs the server more than running it. Its text begins
 * with its name in a comment, by which the pool knows it, and so does an operator in `pg_stat_activity`.
 *
 * @param name Unique.
 * @param build Gets placeholders in place of values: it passes them on and reads none. It names the columns that it wants, because
 * what was prepared with `select *` fails once a newer version of the bridge has added a column.
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

/** The name of a text that {@link statement} made. All others are prepared for one use: there may be any number of them. */
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

/** Has a placeholder for every name. */
const placeholders = new Proxy({}, { get: (_target, key) => new Placeholder(String(key)) });
