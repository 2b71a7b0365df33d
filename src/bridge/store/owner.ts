import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Mode } from '../../contract/index.js';

/** The owner of data: one agency in one mode. A caller sees only its own data. */
export interface Owner {
  agencyId: string;
  mode: Mode;
}

/** The tables whose rows belong to an agency in one mode. */
export type OwnedTable =
  | 'accountSetting'
  | 'applicant'
  | 'application'
  | 'bulkOnboarding'
  | 'disabledEndpoint'
  | 'idempotencyKey'
  | 'onboardedProducer'
  | 'subscription'
  | 'teamMember'
  | 'territoryAssignment'
  | 'webhookSecret'
  | 'webhookStream';

/**
 * The condition that a row of `table` belongs to the owner. Every query for a caller uses it, so
 * that no agency sees the data of another, and neither mode sees the data of the other.
 */
export function ownedBy(owner: Owner, table: OwnedTable): RawBuilder<SqlBool> {
  const [agency, mode] = [sql.ref(`${table}.agencyId`), sql.ref(`${table}.mode`)];
  return sql<SqlBool>`(${agency} = ${owner.agencyId} and ${mode} = ${owner.mode})`;
}
