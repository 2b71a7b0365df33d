import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ApplicationStatus, Mode, StateCode } from '../../../contract/index.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { Database } from '../tables/typed-database.js';
import type { ApplicationRow } from '../tables/tables.js';

/** Selects applications. Absent fields select all. */
export interface ListedWhere {
  scope: Scope;
  mode?: Mode | undefined;
  agencyId?: string | undefined;
  /**
   * `open`: not submitted yet. With a status, `state` and the times apply to the states with this
   * status.
   */
  status?: ApplicationStatus | 'open' | 'submitted' | undefined;
  state?: StateCode | undefined;
  /** Only changes after this time or, without a status, applications created after it. */
  after?: Date | undefined;
  /** Only changes at or before this time or, without a status, applications created by then. */
  before?: Date | undefined;
  /** An application's or a session's id. */
  id?: string | undefined;
  /** The NPN in the profile that the partner synced; or one of `hashes` where both are given. */
  npn?: string | undefined;
  /** Sets of hashes, of which the profile that the user typed has all of one set. */
  hashes?: readonly (readonly string[])[] | undefined;
  /** The short number of the receipt. */
  receiptNumber?: string | undefined;
  /** The reference of a state, in any case; or one of the others where several are given. */
  reference?: string | undefined;
}

/** The position of the last entry of a page. */
export interface ListPlace {
  createdAt: Date;
  id: string;
}

/** An application in the list. Contains no private data. */
export type ListedApplication = Pick<
  ApplicationRow,
  | 'id'
  | 'agencyId'
  | 'mode'
  | 'applicationType'
  | 'licenseType'
  | 'step'
  | 'receiptNumber'
  | 'createdAt'
  | 'submittedAt'
  | 'erasedAt'
> & {
  agencyName: string;
  /** In the order of the request; `status` is null before the application is submitted. */
  states: { state: StateCode; status: ApplicationStatus | null }[];
};

/** The order of the list, by the time of creation. */
export type ListOrder = 'newest' | 'oldest';

/** Reads the next applications. */
export async function findListed(
  db: Database,
  where: ListedWhere,
  page: { after: ListPlace | undefined; order: ListOrder; limit: number },
): Promise<ListedApplication[]> {
  const conditions = [agencyInScope(where.scope, 'app.agencyId'), ...conditionsOf(where)];
  if (page.after !== undefined) {
    const isAfter = page.order === 'newest' ? sql`<` : sql`>`;
    conditions.push(sql<SqlBool>`(app.created_at, app.id) ${isAfter} (${page.after.createdAt}, ${page.after.id})`);
  }
  const direction = page.order === 'newest' ? sql`desc` : sql`asc`;
  const { rows } = await sql<ListedApplication>`
    select app.id, app.agency_id, app.mode, app.application_type, app.license_type, app.step,
      app.receipt_number, app.created_at, app.submitted_at, app.erased_at, agency.name as agency_name,
      (select jsonb_agg(jsonb_build_object('state', asked.state, 'status', answered.status) order by asked.place)
        from unnest(app.states) with ordinality as asked (state, place)
        left join application_state answered on answered.application_id = app.id and answered.state = asked.state
      ) as states
    from application app join agency on agency.id = app.agency_id
    where ${sql.join(conditions, sql` and `)}
    order by app.created_at ${direction}, app.id ${direction}
    limit ${page.limit}`.execute(db);
  return rows;
}

function conditionsOf(where: Omit<ListedWhere, 'scope'>): RawBuilder<SqlBool>[] {
  const { mode, agencyId, status, state, after, before, id, receiptNumber } = where;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (mode !== undefined) conditions.push(sql<SqlBool>`app.mode = ${mode}`);
  if (agencyId !== undefined) conditions.push(sql<SqlBool>`app.agency_id = ${agencyId}`);
  if (id !== undefined) conditions.push(sql<SqlBool>`(app.id = ${id} or app.session_id = ${id})`);
  if (receiptNumber !== undefined) conditions.push(sql<SqlBool>`app.receipt_number = ${receiptNumber}`);
  const people = [...ofSynced(where), ...ofTyped(where), ...ofFiled(where)];
  // One set of ids, which is small: of two sets, the database would read all applications.
  if (people.length > 0) conditions.push(sql<SqlBool>`app.id in (${sql.join(people, sql` union `)})`);
  if (status === 'open') conditions.push(sql<SqlBool>`app.submitted_at is null`);
  if (status === 'submitted') conditions.push(sql<SqlBool>`app.submitted_at is not null`);
  if (status === undefined || status === 'open' || status === 'submitted') {
    if (state !== undefined) conditions.push(sql<SqlBool>`app.states @> array[${state}]::text[]`);
    if (after !== undefined) conditions.push(sql<SqlBool>`app.created_at > ${after}`);
    if (before !== undefined) conditions.push(sql<SqlBool>`app.created_at <= ${before}`);
    return conditions;
  }
  const ofState = [sql<SqlBool>`found.application_id = app.id`, sql<SqlBool>`found.status = ${status}`];
  if (state !== undefined) ofState.push(sql<SqlBool>`found.state = ${state}`);
  if (after !== undefined) ofState.push(sql<SqlBool>`found.updated_at > ${after}`);
  if (before !== undefined) ofState.push(sql<SqlBool>`found.updated_at <= ${before}`);
  conditions.push(sql<SqlBool>`exists (select from application_state found where ${sql.join(ofState, sql` and `)})`);
  return conditions;
}

function ofSynced({ npn }: Pick<ListedWhere, 'npn'>): RawBuilder<unknown>[] {
  if (npn === undefined) return [];
  return [
    sql`select owned.id from application owned join applicant using (agency_id, mode, user_id)
      where profile ->> 'npn' = ${npn} and owned.erased_at is null`,
  ];
}

function ofFiled({ reference }: Pick<ListedWhere, 'reference'>): RawBuilder<unknown>[] {
  if (reference === undefined) return [];
  return [sql`select application_id from filing where lower(reference) = lower(${reference})`];
}

function ofTyped({ hashes }: Pick<ListedWhere, 'hashes'>): RawBuilder<unknown>[] {
  if (hashes === undefined) return [];
  const sets = hashes.filter((set) => set.length > 0);
  // A search without a word, such as for "&", finds nothing.
  const hasOne = sets.map((set) => sql<SqlBool>`search_hashes @> ${[...set]}::text[]`);
  return [
    sql`select application_id from application_step where ${hasOne.length > 0 ? sql.join(hasOne, sql` or `) : sql`false`}`,
  ];
}

/** The number of states of a mode with a status and an age. */
export interface StatusCountRow {
  mode: Mode;
  status: ApplicationStatus;
  /**
   * The index of the first of the given times at or before the status; the number of times for
   * older ones.
   */
  bucket: number;
  count: number;
}

/**
 * Counts states by status and age. Decided states are counted back to `decidedSince` only.
 * `moments` are the boundaries of the age groups, newest first.
 */
export async function countStatuses(
  db: Database,
  { scope, moments, decidedSince }: { scope: Scope; moments: readonly Date[]; decidedSince: Date },
): Promise<StatusCountRow[]> {
  const steps = moments.map((moment, index) => sql`when found.updated_at > ${moment} then ${sql.lit(index)}`);
  const { rows } = await sql<StatusCountRow>`
    select app.mode, found.status, case ${sql.join(steps, sql` `)} else ${sql.lit(moments.length)} end as bucket,
      count(*) as count
    from application_state found join application app on app.id = found.application_id
    where ${agencyInScope(scope, 'app.agencyId')} and (found.status in ('pending_review', 'requires_action')
      or (found.status in ('approved', 'denied') and found.updated_at > ${decidedSince}))
    group by app.mode, found.status, bucket`.execute(db);
  return rows;
}

/** The open work of live mode. */
export interface OpenApplications {
  /** Applications that are not submitted and have a valid link. */
  unfinished: number;
  /** States in review. */
  pendingReview: number;
  /** States that wait for the user. */
  requiresAction: number;
}

/** Counts the live applications that users and departments have not finished. */
export async function countOpenApplications(db: Database, now: Date): Promise<OpenApplications> {
  const [states, unfinished] = await Promise.all([
    sql<{ status: ApplicationStatus; count: number }>`
      select found.status, count(*) as count
      from application_state found join application app on app.id = found.application_id
      where found.status in ('pending_review', 'requires_action') and app.mode = 'live'
      group by found.status`.execute(db),
    countUnfinished(db, 'all', now),
  ]);
  const countOf = (status: ApplicationStatus) => states.rows.find((row) => row.status === status)?.count ?? 0;
  return {
    unfinished: unfinished.find(({ mode }) => mode === 'live')?.count ?? 0,
    pendingReview: countOf('pending_review'),
    requiresAction: countOf('requires_action'),
  };
}

/** Counts the applications of each mode that are not submitted and have a valid link. */
export async function countUnfinished(db: Database, scope: Scope, now: Date): Promise<{ mode: Mode; count: number }[]> {
  const { rows } = await sql<{ mode: Mode; count: number }>`
    select mode, count(*) as count from application
    where submitted_at is null and erased_at is null and expires_at > ${now}
      and ${agencyInScope(scope, 'application.agencyId')} group by mode`.execute(db);
  return rows;
}
