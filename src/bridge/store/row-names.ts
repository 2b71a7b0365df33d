import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/**
 * Maps the names of queries to snake_case and those of their results to camelCase; JSON content
 * stays as it is. Kysely's plugin maps the names again for each row, which is slow for a long list;
 * this one maps them once per result.
 */
export class RowNamesPlugin extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    // All rows of a result have the same names.
    const names = Object.keys(result.rows[0] ?? {}).map((name) => [name, this.camelCase(name)] as const);
    if (names.every(([inSql, name]) => inSql === name)) return Promise.resolve(result);
    const rows = result.rows.map((row) => {
      const mapped: UnknownRow = {};
      for (const [inSql, name] of names) mapped[name] = row[inSql];
      return mapped;
    });
    return Promise.resolve({ ...result, rows });
  }
}
