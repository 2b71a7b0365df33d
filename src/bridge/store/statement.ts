import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './tables/typed-database.js';

/** A query whose text never changes, called with the values of its parameters. */
export type Statement<Given, Row> = (db: Database, given: Given) => Promise<Row[]>;

/**
 * Makes a query that is built once and that each connection prepares once, for what every request asks: building it costs this
 * process more than all else that it does for a read, and planning it costs the server more than running it.
 *
 * @param name Unique; `pg_prepared_statements` shows it.
 * @param build Gets stand-ins in place of values: it hands them on and looks at none. It names the columns that it wants, because
 * what was prepared with `select *` fails once a newer version of the bridge has added a column.
 */
export function statement<Given extends object, Row>(
  name: string,
  build: (db: Database, given: Given) => Compilable<Row>,
): Statement<Given, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async function execute(db, given) {
    compiled ??= compile(name, build(db, standIns as Given));
    const parameters = compiled.parameters.map((value) =>
      value instanceof StandIn ? given[value.key as keyof Given] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

const names = new Map<string, string>();

/** The name of a text that `statement` made. All others are prepared for one use: there may be any number of them. */
export function statementName(text: string): string | undefined {
  return names.get(text);
}

/** Says each value once: whoever prepares, sends and reads it does so for each parameter. */
function compile<Row>(name: string, query: Compilable<Row>): CompiledQuery<Row> {
  const compiled = query.compile();
  const parameters: unknown[] = [];
  const numbers = compiled.parameters.map((value) => {
    const known = parameters.findIndex(
      (each) => value instanceof StandIn && each instanceof StandIn && each.key === value.key,
    );
    return known >= 0 ? known + 1 : parameters.push(value);
  });
  const text = compiled.sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${String(numbers[Number(number) - 1])}`);
  names.set(text, name);
  return { ...compiled, sql: text, parameters };
}

class StandIn {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

/** Has a stand-in for whatever it is asked. */
const standIns = new Proxy({}, { get: (_target, key) => new StandIn(String(key)) });
