import { sql, type SqlBool } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { Database } from '../tables/typed-database.js';
import type { PaymentRow } from './payment-store.js';

/** A payment in a list, with its application. */
export type ListedPaymentRow = PaymentRow & { agencyName: string; mode: Mode };

/** Selects payments. */
export interface PaymentQuery {
  scope: Scope;
  applicationId?: string | undefined;
  /** Only payments with a problem that needs attention. */
  hasProblem?: boolean | undefined;
  /** Only payments before this one: the start of the next page. */
  before?: { createdAt: Date; id: string } | undefined;
  limit: number;
}

/** Reads payments, newest first. */
export async function findListedPayments(
  db: Database,
  { scope, applicationId, hasProblem, before, limit }: PaymentQuery,
): Promise<ListedPaymentRow[]> {
  const conditions = [agencyInScope(scope, 'application.agencyId')];
  if (applicationId !== undefined) conditions.push(sql<SqlBool>`payment.application_id = ${applicationId}`);
  if (hasProblem === true) conditions.push(sql<SqlBool>`payment.problem is not null`);
  if (before !== undefined) {
    conditions.push(sql<SqlBool>`(payment.created_at, payment.id) < (${before.createdAt}, ${before.id})`);
  }
  const { rows } = await sql<ListedPaymentRow>`
    select payment.*, application.mode, agency.name as agency_name
    from payment join application on application.id = payment.application_id
      join agency on agency.id = application.agency_id
    where ${sql.join(conditions, sql` and `)}
    order by payment.created_at desc, payment.id desc
    limit ${limit}`.execute(db);
  return rows;
}
