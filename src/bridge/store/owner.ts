import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Mode } from '../../contract/index.js';

/** Whose data a caller may see: one agency's, in one mode. */
export interface Owner {
  agencyId: string;
  mode: Mode;
}

/** The tables whose rows belong to an agency in one mode. */
export type OwnedTable =
  | 'account_setting'
  | 'applicant'
  | 'application'
  | 'bulk_onboarding'
  | 'idempotency_key'
  | 'onboarded_producer'
  | 'subscription'
  | 'team_member'
  | 'territory_assignment'
  | 'webhook_secret'
  | 'webhook_stream';

/**
 * The condition that a row of `table` belongs to its owner. Every query for a caller has it, from here: agencies never see each
 * other's data, nor one mode the other's.
 */
export function ownedBy(owner: Owner, table: OwnedTable): RawBuilder<SqlBool> {
  const [agency, mode] = [sql.ref(`${table}.agency_id`), sql.ref(`${table}.mode`)];
  return sql<SqlBool>`(${agency} = ${owner.agencyId} and ${mode} = ${owner.mode})`;
}
