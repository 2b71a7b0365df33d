import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * The agencies whose data an operator sees and works with: all, or some. Every query for the console
 * takes it.
 */
export type Scope = 'all' | { readonly agencyIds: readonly string[] };

/** The condition that the agency of a column is in a scope. */
export function agencyInScope(scope: Scope, column: 'agency.id' | `${string}.agencyId`): RawBuilder<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`${sql.ref(column)} = any(${[...scope.agencyIds]}::text[])`;
}

/** The condition that the application of a column is one of an agency in a scope. */
export function applicationInScope(scope: Scope, column: `${string}.applicationId`): RawBuilder<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`exists (select from application owned
    where owned.id = ${sql.ref(column)} and ${agencyInScope(scope, 'owned.agencyId')})`;
}
